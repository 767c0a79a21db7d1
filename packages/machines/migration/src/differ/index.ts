/** How an object is compared with what it should be: what no copy can share does not count as a difference. */
import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { InfraObject, InfraTemplate } from '../conversion/infra-objects.ts';
import type { PlatformConversion } from '../conversion/platform-conversion.ts';
import { decode } from '../wire/decode.ts';
import { encode } from '../wire/encode.ts';
import type { ObjectShape } from '../wire/shape.ts';
import { type Changes, differingPaths } from './changes.ts';
import { type Comparable, comparableMetadata, comparableStatus, type IgnoredStatus } from './comparable.ts';

export { type Changes, hasChanges } from './changes.ts';

function compare(before: Comparable, after: Comparable, ignored: IgnoredStatus): Changes {
  return {
    metadata: differingPaths(comparableMetadata(before.metadata), comparableMetadata(after.metadata)),
    spec: differingPaths(before.spec ?? {}, after.spec ?? {}),
    providerSpec: [],
    status: differingPaths(comparableStatus(before.status, ignored), comparableStatus(after.status, ignored)),
  };
}

/** A value in the form in which it would be written, so that order, old versions and unknown fields do not matter. */
function normal(shape: ObjectShape, value: unknown): unknown {
  const {
    apiVersion: _,
    kind: __,
    ...fields
  } = encode(shape, decode(shape, value, '').value) as {
    readonly [field: string]: unknown;
  };
  return fields;
}

export function clusterApiMachineChanges(before: capiv1beta2.Machine, after: capiv1beta2.Machine): Changes {
  return compare(before, after, { conditions: ['Paused', 'NodeHealthy', 'UpToDate'] });
}

export function clusterApiMachineSetChanges(before: capiv1beta2.MachineSet, after: capiv1beta2.MachineSet): Changes {
  return compare(before, after, { conditions: ['Paused', 'Remediating'] });
}

/** A difference of specs means a new InfraMachine: it cannot be changed in place. */
export function infraMachineChanges(before: InfraObject, after: InfraObject, platform: PlatformConversion): Changes {
  const { infraSpec } = platform;
  return {
    ...compare(before, after, { conditions: ['Paused'] }),
    spec: differingPaths(normal(infraSpec, before.spec), normal(infraSpec, after.spec)),
  };
}

export function infraTemplateChanges(
  before: InfraTemplate,
  after: InfraTemplate,
  platform: PlatformConversion,
): Changes {
  const spec = ({ spec: { template, ...beside } }: InfraTemplate) => ({
    ...beside,
    template: { spec: normal(platform.infraSpec, template.spec) },
  });
  return { ...compare(before, after, {}), spec: differingPaths(spec(before), spec(after)) };
}

/** Fields of a Machine API status that have no counterpart; who has authority is no matter of conversion. */
const machineStatus: IgnoredStatus = {
  fields: [
    'providerStatus',
    'lastOperation',
    'authoritativeAPI',
    'synchronizedAPI',
    'synchronizedGeneration',
    'conditions',
  ],
};
const machineSetStatus: IgnoredStatus = {
  fields: [
    'replicas',
    'observedGeneration',
    'authoritativeAPI',
    'synchronizedAPI',
    'synchronizedGeneration',
    'conditions',
  ],
};

export function machineApiMachineChanges(
  before: mapiv1beta1.Machine,
  after: mapiv1beta1.Machine,
  platform: PlatformConversion,
): Changes {
  const rest = ({ spec }: mapiv1beta1.Machine) => ({ ...spec, providerSpec: undefined });
  const provider = ({ spec }: mapiv1beta1.Machine) => normal(platform.providerSpec, spec.providerSpec?.value);
  return {
    ...compare(before, after, machineStatus),
    spec: differingPaths(rest(before), rest(after)),
    providerSpec: differingPaths(provider(before), provider(after)),
  };
}

export function machineApiMachineSetChanges(
  before: mapiv1beta1.MachineSet,
  after: mapiv1beta1.MachineSet,
  platform: PlatformConversion,
): Changes {
  const rest = ({ spec: { template, ...spec } }: mapiv1beta1.MachineSet) => {
    const { providerSpec: _, ...machine } = template?.spec ?? {};
    return { ...spec, template: { metadata: template?.metadata ?? {}, spec: machine } };
  };
  const provider = ({ spec: { template } }: mapiv1beta1.MachineSet) =>
    normal(platform.providerSpec, template?.spec.providerSpec?.value);
  return {
    ...compare(before, after, machineSetStatus),
    spec: differingPaths(rest(before), rest(after)),
    providerSpec: differingPaths(provider(before), provider(after)),
  };
}
