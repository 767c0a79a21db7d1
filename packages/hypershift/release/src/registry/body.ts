import type { Readable } from 'node:stream';

/** Everything of a body, or an error once it grows over the limit. */
export async function readAll(body: Readable, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    length += piece.length;
    // Leaving the loop destroys the stream, and with it the connection.
    if (length > limit) throw new RangeError(`the answer is larger than ${limit} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}
