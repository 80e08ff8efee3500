// saved.js MODEL LEVEL OUTPUT: ONNX Runtime optimises a model at this level and saves it.
"use strict";
const runtime = require("onnxruntime-node");

async function main([model, level, output]) {
    const options = { graphOptimizationLevel: level, optimizedModelFilePath: output, logSeverityLevel: 3 };
    await runtime.InferenceSession.create(model, options);
}

main(process.argv.slice(2)).catch((error) => {
    console.error(String(error));
    process.exit(1);
});
