import type { EventRecorder } from './event-recorder.ts';

/** Records nothing. */
export const silentRecorder: EventRecorder = { normal() {}, warning() {} };
