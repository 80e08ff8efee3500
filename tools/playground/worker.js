// Runs the WebAssembly module. The page sends the module, then requests. It ends the worker to stop a run.
"use strict";

// The functions of WASI that the C library calls. There are no files, arguments or variables.
function wasi(memory) {
  const view = () => new DataView(memory().buffer);
  const bad_file = 8, no_such = 52;
  let printed = "";
  return {
    args_get: () => 0,
    args_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), 0),
    environ_get: () => 0,
    environ_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), 0),
    clock_time_get: (clock, precision, at) => {
      const ms = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    clock_res_get: (clock, at) => (view().setBigUint64(at, 1000n, true), 0),
    random_get: (at, size) => (crypto.getRandomValues(new Uint8Array(memory().buffer, at, size)), 0),
    fd_write: (file, parts, count, written) => {
      let size = 0;
      for (let i = 0; i < count; ++i) {
        const at = view().getUint32(parts + 8 * i, true), length = view().getUint32(parts + 8 * i + 4, true);
        printed += new TextDecoder().decode(new Uint8Array(memory().buffer, at, length));
        size += length;
      }
      view().setUint32(written, size, true);
      return 0;
    },
    proc_exit: () => { throw new Error(printed.trim() || "the program ended"); },
    other: name => () => name.startsWith("fd_") ? bad_file : no_such,
  };
}

let module;
let instance = null;

async function start() {
  const functions = wasi(() => instance.exports.memory);
  const imports = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module))
    (imports[from] ??= {})[name] = functions[name] ?? functions.other(name);
  instance = await WebAssembly.instantiate(module, imports);
  instance.exports._initialize();
}

function result(which) {
  const {memory, result, result_size} = instance.exports;
  return new TextDecoder().decode(new Uint8Array(memory.buffer, result(which), result_size(which)));
}

function run({kind, name, level, passes, program}) {
  const line = text => text.replaceAll("\n", " ");
  const head = new TextEncoder().encode([kind, name, level, passes].map(line).join("\n") + "\n");
  const bytes = typeof program === "string" ? new TextEncoder().encode(program) : new Uint8Array(program);
  const size = head.length + bytes.length;
  const at = instance.exports.request(size);
  new Uint8Array(instance.exports.memory.buffer, at, size).set(head);
  new Uint8Array(instance.exports.memory.buffer, at + head.length, bytes.length).set(bytes);
  const begin = performance.now();
  const done = instance.exports.run(at, size) !== 0;
  return {done, ms: performance.now() - begin, text: result(0), page: result(1), error: result(2), where: result(3)};
}

onmessage = async ({data}) => {
  try {
    if (data.module) module = data.module;
    if (!instance) await start();
    if (data.module) {
      instance.exports.describe();
      postMessage({about: result(0)});
    } else {
      postMessage(run(data));
    }
  } catch (error) {
    instance = null; // a trap leaves the memory in any state, so the next request gets a new instance
    const what = error instanceof RangeError || /call stack|recursion/.test(error.message) ? "out of memory" : error.message;
    postMessage({done: false, ms: 0, text: "", page: "", error: what, where: "run"});
  }
};
