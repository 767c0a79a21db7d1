import type { PlatformBuilder } from '../platform-builder.ts';
import { none } from './none.ts';

/** Every platform clusters can be created on. */
export const platformBuilders: readonly PlatformBuilder[] = [none];
