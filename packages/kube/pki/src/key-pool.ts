import type { KeyPair, KeySource, KeyType } from './keys.ts';
import { generateKeys } from './keys.ts';

export interface KeyPoolOptions {
  /** How many ready keys to hold of each type; types not named are made on demand. */
  readonly size: Partial<Record<KeyType, number>>;
  readonly source?: KeySource;
}

/**
 * Keeps key pairs ready, so that creating a hosted cluster does not wait for RSA. Each key is handed out once.
 * One key is generated at a time: a burst of clusters must not occupy the whole thread pool.
 */
export class KeyPool {
  private readonly ready = new Map<KeyType, KeyPair[]>();
  private readonly size: Partial<Record<KeyType, number>>;
  private readonly source: KeySource;
  private filling: Promise<void> | undefined;
  private closed = false;

  constructor(options: KeyPoolOptions) {
    this.size = options.size;
    this.source = options.source ?? generateKeys;
  }

  /** A key from the pool, or a fresh one when it is empty. */
  readonly take: KeySource = async (type) => {
    const key = this.ready.get(type)?.pop();
    void this.fill();
    return key ?? (await this.source(type));
  };

  /** Resolves when every type is at its size, or generation failed (then the next take tries again). */
  fill(): Promise<void> {
    this.filling ??= this.fillOnce().finally(() => {
      this.filling = undefined;
    });
    return this.filling;
  }

  count(type: KeyType): number {
    return this.ready.get(type)?.length ?? 0;
  }

  /** Forgets the keys and stops making new ones. */
  close(): void {
    this.closed = true;
    this.ready.clear();
  }

  private missing(): KeyType | undefined {
    return (Object.keys(this.size) as KeyType[]).find((type) => this.count(type) < (this.size[type] ?? 0));
  }

  private async fillOnce(): Promise<void> {
    for (let type = this.missing(); type && !this.closed; type = this.missing()) {
      try {
        const key = await this.source(type);
        if (this.closed) return;
        const list = this.ready.get(type);
        if (list) list.push(key);
        else this.ready.set(type, [key]);
      } catch {
        return;
      }
    }
  }
}
