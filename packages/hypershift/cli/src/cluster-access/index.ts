/** How commands reach the management cluster. */
export * from './connect.ts';
export * from './find.ts';
