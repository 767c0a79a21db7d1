/** A machine cannot go on booting; the message says what to change. */
export class BootError extends Error {}
