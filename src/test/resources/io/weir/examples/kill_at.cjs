// Kills the program that it is loaded into, as kill -9 does, just before its Nth step on the disk.
//
//   KILL_AT=N node --require ./kill_at.cjs program.js its arguments
//
// A step is a file opened to be written, each half of what is written, a sync, a rename, a removal.

const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

let left = Number(process.env.KILL_AT);

function step() {
  left--;
  if (left === 0) {
    process.kill(process.pid, 'SIGKILL');
  }
}

const { openSync, writeFileSync } = fs;
fs.openSync = (path, flags, ...rest) => {
  if (flags === 'w') {
    step();
  }
  return openSync(path, flags, ...rest);
};
fs.writeFileSync = (file, content, ...rest) => {
  const half = content.length >> 1;
  for (const part of [content.subarray(0, half), content.subarray(half)]) {
    step();
    writeFileSync(file, part, ...rest);
  }
};
for (const name of ['fsyncSync', 'renameSync', 'rmSync']) {
  const function_ = fs[name];
  fs[name] = (...args) => {
    step();
    return function_(...args);
  };
}
syncBuiltinESMExports();
