/** What people and programs see of a command. */
export * from './age.ts';
export * from './formats.ts';
export { ownName } from './own-name.ts';
export * from './table.ts';
export * from './terminal.ts';
export * as flagValues from './flag-values.ts';
