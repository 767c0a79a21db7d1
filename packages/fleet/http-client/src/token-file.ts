import { readFile } from 'node:fs/promises';
import type { Clock } from '@hypershift-ts/kube-apimachinery';

const longest = 64 * 1024;

/** The bearer token of a file that others rotate; read again when it is older than the time to live. */
export class TokenFile {
  private readonly path: string;
  private readonly ttlMs: number;
  private readonly clock: Clock;
  private held: { readonly token: string; readonly until: number } | undefined;

  constructor(path: string, ttlMs: number, clock: Clock) {
    this.path = path;
    this.ttlMs = ttlMs;
    this.clock = clock;
  }

  async token(): Promise<string> {
    const now = this.clock.now();
    if (this.held && now < this.held.until) return this.held.token;
    const token = (await readFile(this.path, 'utf8')).trim();
    if (token === '' || token.length > longest || /\s/.test(token))
      throw new Error(`${this.path} holds no token; check what is mounted there`);
    this.held = { token, until: now + this.ttlMs };
    return token;
  }
}
