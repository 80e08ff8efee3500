// node onnxruntime.js FOLDER LIST: ONNX Runtime runs the models that `node_tests --write-to=FOLDER` has written, and
// compares their outputs with the recorded ones. LIST has the models that it refuses or computes otherwise, by reason.
// ONNX Runtime is npm's onnxruntime-node, found through NODE_PATH; without it, the check is skipped.

const fs = require("fs");
const path = require("path");
const {spawnSync} = require("child_process");

const SKIPPED = 77;
let ort;
try {
    ort = require("onnxruntime-node");
} catch {
    console.log("SKIPPED: onnxruntime-node is not there: ONNX Runtime ran no written model");
    process.exit(SKIPPED);
}

const [folder, list] = process.argv.slice(2);
// The tolerance as a share of the largest value, instead of 1e-3 of each value.
const ofLargest = Number(process.env.TUTTI_OF_LARGEST || 0);

const TYPES = {
    float32: Float32Array, float64: Float64Array, int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
    uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array, bool: Uint8Array, float16: Uint16Array,
};

function halfToNumber(bits) {
    const exponent = (bits >> 10) & 31, fraction = bits & 1023, sign = bits >> 15 ? -1 : 1;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

class MissingType extends Error {}

function read(test, kind, index, type, dims) {
    const bytes = fs.readFileSync(path.join(test, kind + index));
    const Type = TYPES[type];
    if (!Type) throw new MissingType(`elements of type ${type}, which JavaScript lacks`);
    const copy = new Uint8Array(bytes).buffer;
    const data = new Type(copy, 0, copy.byteLength / Type.BYTES_PER_ELEMENT);
    return {type, dims, data};
}

function difference(result, wanted) {
    if (result.dims.join() !== wanted.dims.join()) return `shape ${result.dims} instead of ${wanted.dims}`;
    if (result.type !== wanted.type) return `${result.type} instead of ${wanted.type}`;
    const real = /float/.test(wanted.type);
    const largest = ofLargest && wanted.data.reduce((most, x) => Math.max(most, Math.abs(Number(x))), 0);
    const number = (data, i) => (wanted.type === "float16" && data instanceof Uint16Array ? halfToNumber(data[i]) : Number(data[i]));
    for (let i = 0; i < wanted.data.length; ++i) {
        const a = number(result.data, i), b = number(wanted.data, i);
        if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
        const allowed = ofLargest ? ofLargest * largest : real ? 1e-3 * Math.abs(b) + (wanted.type === "float16" ? 1e-3 : 1e-5) : 0;
        if (!(Math.abs(a - b) <= allowed)) return `element ${i} is ${a}, not ${b}`;
    }
    return "";
}

// Returns why a model does not count as passed; "" if it does.
async function run(test) {
    let session;
    try {
        session = await ort.InferenceSession.create(path.join(test, "model.onnx"), {logSeverityLevel: 4});
    } catch (e) {
        return "refused: " + e.message;
    }
    try {
        const lines = fs.readFileSync(path.join(test, "data.txt"), "utf8").split("\n").filter(Boolean);
        const all = {input: [], output: []};
        for (const line of lines) {
            const [kind, type, ...dims] = line.split(" ");
            all[kind].push(read(test, kind, all[kind].length, type, dims.map(Number)));
        }
        const feeds = {};
        session.inputNames.forEach((name, i) => { feeds[name] = new ort.Tensor(all.input[i].type, all.input[i].data, all.input[i].dims); });
        const results = await session.run(feeds);
        for (let i = 0; i < all.output.length; ++i) {
            const said = difference(results[session.outputNames[i]], all.output[i]);
            if (said) return `output ${i}: ${said}`;
        }
        return "";
    } catch (e) {
        return `${e instanceof MissingType ? "data" : "run"}: ${e.message}`;
    } finally {
        await session.release();
    }
}

// The words of a reason without names and numbers.
function kind_of(said) {
    const missing = said.match(/Could not find an implementation for (\w+)\((\d+)\)/);
    if (missing) return `no implementation of ${missing[1]}`;
    return said.replace(/\s+/g, " ").replace(/'[^']*'|\([^)]*\)|\d+/g, "").slice(0, 90);
}

// In a process of its own: runs the tests named on the command line, and prints a line of JSON for each.
async function child(names) {
    for (const name of names) {
        const said = await run(path.join(folder, name));
        fs.writeSync(1, JSON.stringify([name, said]) + "\n");
    }
}

// Returns what became of each test. ONNX Runtime divides integers by zero, which ends its process.
function outcomes(names) {
    const found = new Map();
    for (let at = 0; at < names.length; at = found.size) {
        const done = spawnSync(process.execPath, [__filename, folder, list, ...names.slice(at, at + 200)],
                               {encoding: "utf8", env: {...process.env, TUTTI_CHILD: "1"}, maxBuffer: 1 << 28});
        for (const line of done.stdout.split("\n"))
            if (line.startsWith("[")) found.set(...JSON.parse(line));
        if (done.signal) found.set(names[found.size], `ended by ${done.signal}`);
        else if (done.status !== 0) throw new Error(done.stderr);
    }
    return found;
}

function main() {
    const listed = new Set(fs.readFileSync(list, "utf8").split("\n").filter((line) => line && !line.startsWith("#")));
    const reasons = new Map();
    let passed = 0, wrong = 0;
    const found = outcomes(fs.readdirSync(folder).sort());
    for (const [name, said] of found) {
        if (!said) ++passed;
        const kind = kind_of(said);
        if (said) reasons.set(kind, [...(reasons.get(kind) || []), name]);
        const known = listed.delete(name);
        if (said && !known) console.log(`does not pass: ${name}: ${said.replace(/\s+/g, " ").slice(0, 300)}`);
        if (!said && known) console.log(`passes, and is listed: ${name}`);
        if (!!said !== known) ++wrong;
    }
    for (const [kind, names] of [...reasons].sort((a, b) => b[1].length - a[1].length))
        console.log(`# ${kind} (${names.length})`);
    console.log(`${passed} of ${found.size} models pass`);
    process.exit(wrong === 0 && listed.size === 0 && passed > 0 ? 0 : 1);
}

if (process.env.TUTTI_CHILD) child(process.argv.slice(4));
else main();
