import type { AWSMachineProviderConfig } from '@hypershift-ts/machines-machine-api';
import type { awsv1beta2 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import type { Findings } from '../findings.ts';
import { tagsToMachineApi } from './tags.ts';

type Host = NonNullable<NonNullable<AWSMachineProviderConfig['placement']>['host']>;
type HostFields = Pick<awsv1beta2.AWSMachineSpec, 'hostID' | 'hostAffinity' | 'dynamicHostAllocation'>;

const hostId = /^h-([0-9a-f]{8}|[0-9a-f]{17})$/;

/** Where an instance may run. `default` is written out because the CRD of AWSMachine would fill it in. */
export function hostToClusterApi(host: Host | undefined, path: string, findings: Findings): Draft<HostFields> {
  const { affinity, dedicatedHost } = host ?? {};
  const isDynamic = dedicatedHost?.allocationStrategy === 'Dynamic';
  const hostID = isDynamic ? undefined : dedicatedHost?.id || undefined;
  switch (affinity) {
    case undefined:
      if (dedicatedHost) findings.invalid(`${path}.dedicatedHost`, dedicatedHost, 'dedicatedHost needs an affinity');
      return { hostAffinity: 'default' };
    case 'AnyAvailable':
      if (isDynamic)
        findings.invalid(`${path}.dedicatedHost`, dedicatedHost, 'dynamic allocation needs affinity DedicatedHost');
      return { hostAffinity: 'default', hostID };
    case 'DedicatedHost': {
      if (!isDynamic && !hostID)
        findings.required(`${path}.dedicatedHost.id`, 'id is required unless hosts are allocated dynamically');
      const tags = dedicatedHost?.dynamicHostAllocation?.tags ?? [];
      return {
        hostAffinity: 'host',
        hostID,
        dynamicHostAllocation: isDynamic
          ? { tags: Object.fromEntries(tags.map(({ name, value }) => [name, value])) }
          : undefined,
      };
    }
    default:
      findings.invalid(`${path}.affinity`, affinity, 'unable to convert affinity, unknown value');
      return {};
  }
}

/** The same seen from an AWSMachine. */
export function hostToMachineApi(
  { hostID, hostAffinity, dynamicHostAllocation, tenancy }: awsv1beta2.AWSMachineSpec,
  path: string,
  findings: Findings,
): Draft<Host> | undefined {
  if (hostID && !hostId.test(hostID))
    findings.invalid(
      `${path}.dedicatedHost.id`,
      hostID,
      "id must start with 'h-' followed by 8 or 17 lowercase hexadecimal characters (0-9 and a-f)",
    );
  const provided = hostID ? { allocationStrategy: 'UserProvided', id: hostID } : undefined;
  const affinity: string = hostAffinity ?? 'default';
  if (affinity === 'host') return onDedicatedHost(provided, dynamicHostAllocation, path, findings);
  if (dynamicHostAllocation)
    findings.invalid(
      `${path}.dynamicHostAllocation`,
      dynamicHostAllocation,
      'dynamicHostAllocation is only allowed when hostAffinity is host',
    );
  if (affinity !== 'default')
    findings.invalid(`${path}.hostAffinity`, affinity, 'unable to convert hostAffinity, unknown value');
  return provided || tenancy === 'host' ? { affinity: 'AnyAvailable', dedicatedHost: provided } : undefined;
}

function onDedicatedHost(
  provided: Draft<NonNullable<Host['dedicatedHost']>> | undefined,
  dynamic: HostFields['dynamicHostAllocation'],
  path: string,
  findings: Findings,
): Draft<Host> {
  if (provided && dynamic)
    findings.invalid(`${path}.dedicatedHost`, dynamic, 'id and dynamicHostAllocation are mutually exclusive');
  if (!provided && !dynamic)
    findings.required(
      `${path}.dedicatedHost`,
      'either id or dynamicHostAllocation is required when hostAffinity is host',
    );
  if (!dynamic) return { affinity: 'DedicatedHost', dedicatedHost: provided };
  const tags = tagsToMachineApi(dynamic.tags);
  return {
    affinity: 'DedicatedHost',
    dedicatedHost: {
      allocationStrategy: 'Dynamic',
      dynamicHostAllocation: tags.length > 0 ? { tags } : undefined,
    },
  };
}
