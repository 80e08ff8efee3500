// node onnxruntime.js MODEL THREADS INPUTS: prints the best time of a run of the model by ONNX Runtime in ms: processor time with one thread,
// wall-clock time with more. Without its module, which node finds by NODE_PATH, the exit code is 3.

let ort;
try {
    ort = require('onnxruntime-node');
} catch {
    process.exit(3);
}

async function main(model, threads) {
    const session = await ort.InferenceSession.create(model, {
        graphOptimizationLevel: 'all', intraOpNumThreads: threads, interOpNumThreads: 1, executionMode: 'sequential', logSeverityLevel: 3,
    });
    const feeds = {};
    for (const [at, [, type, shape]] of JSON.parse(process.argv[4]).entries()) { // in the model's order: names may differ
        const size = shape.reduce((a, b) => a * b, 1);
        const data = type === 'int64' ? new BigInt64Array(size).fill(16000n) : Float32Array.from({length: size}, (_, i) => Math.sin(i));
        feeds[session.inputNames[at]] = new ort.Tensor(type, data, shape);
    }
    let least = Infinity;
    const begin = process.hrtime.bigint();
    for (let run = 0; run < 4 || (run < 200 && process.hrtime.bigint() - begin < 1500000000n); ++run) {
        const used = process.cpuUsage();
        const start = process.hrtime.bigint();
        await session.run(feeds);
        const took = process.cpuUsage(used);
        const ms = threads === 1 ? (took.user + took.system) / 1e3 : Number(process.hrtime.bigint() - start) / 1e6;
        least = Math.min(least, ms);
    }
    console.log(least.toFixed(3));
}

main(process.argv[2], Number(process.argv[3]));
