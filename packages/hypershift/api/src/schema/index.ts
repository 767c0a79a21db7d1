/** The words schemas are written in, and what is made of them. */
export * from './builders.ts';
export * from './kind.ts';
export * from './node.ts';
export * from './render.ts';
