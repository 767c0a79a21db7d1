import type { KindBehaviour } from '../behaviour.ts';
import { endpointSlice } from './endpoint-slice.ts';

export const discoveryKinds: Readonly<Record<string, KindBehaviour>> = {
  'endpointslices.discovery.k8s.io': endpointSlice,
};
