import product from '../package.json' with { type: 'json' };
import { hyperfleet } from './hyperfleet.ts';

/** The second signal ends the process at once, for whoever cannot wait. */
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (ending.signal.aborted) process.exit(1);
    ending.abort();
  });

// Timers and sockets of the parts do not keep a process alive; its command does.
const alive = setInterval(() => {}, 0x7fffffff);
process.exitCode = await hyperfleet(process.argv.slice(2), {
  env: process.env,
  version: product.version,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  signal: ending.signal,
});
clearInterval(alive);
