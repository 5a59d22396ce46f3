// The disk of the program that it is loaded into is full for as long as a file is there.
//
//   FULL=FILE node --require ./full_disk.cjs program.js its arguments

const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const { existsSync, fsyncSync } = fs;
fs.fsyncSync = (descriptor) => {
  if (existsSync(process.env.FULL)) {
    throw Object.assign(new Error('ENOSPC: no space left on device, fsync'), { code: 'ENOSPC' });
  }
  fsyncSync(descriptor);
};
syncBuiltinESMExports();
