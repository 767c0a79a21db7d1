import type { Duplex } from 'node:stream';

/** Connects two streams both ways: bytes at the slower one's speed, ends as half-closes, failures as aborts. */
export function join(one: Duplex, other: Duplex): void {
  forward(one, other);
  forward(other, one);
}

function forward(from: Duplex, to: Duplex): void {
  // pipe ends the target when the source ends; everything else that can happen to the source destroys the target.
  from.pipe(to);
  from.on('error', () => to.destroy());
  from.on('close', () => {
    if (!from.readableEnded) to.destroy();
  });
}
