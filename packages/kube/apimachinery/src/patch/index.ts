/** The three kinds of patch that edit an object in place: JSON Patch, JSON merge patch, strategic merge patch. */
export * from './json-patch.ts';
export { escapePointerToken, parsePointer } from './json-pointer.ts';
export { applyMergePatch, createMergePatch } from './merge-patch.ts';
export { applyStrategicMergePatch } from './strategic-merge-patch.ts';
