/** Versions of a hosted cluster: what it runs, what it should run, and whether it may go there. */
export * from './progressing.ts';
export * from './release-image.ts';
export * from './status.ts';
