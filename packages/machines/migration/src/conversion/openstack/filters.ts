import type { OpenstackFilter } from '@hypershift-ts/machines-machine-api';
import type { Draft } from '../../wire/draft.ts';
import { unlessEmpty } from '../labels.ts';
import type { Filter, OldSubnetFilter, Reference, Subnet, SubnetFilter } from './types.ts';

/** Tags are one text in the Machine API, as the network service wants them in a query. */
const split = (tags: string | undefined) => (tags ? tags.split(',') : undefined);
const join = (tags: readonly string[] | undefined) => (tags?.length ? tags.join(',') : undefined);

/** Leaves out what says nothing, so that an empty filter can be told from one that selects. */
function filled<T extends object>(draft: T): T | undefined {
  return unlessEmpty(
    Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined && value !== '' && value !== 0)),
  ) as T | undefined;
}

function filterToClusterApi(filter: OpenstackFilter): Draft<Filter> | undefined {
  return filled({
    name: filter.name,
    description: filter.description,
    projectID: filter.projectId || filter.tenantId,
    tags: split(filter.tags),
    tagsAny: split(filter.tagsAny),
    notTags: split(filter.notTags),
    notTagsAny: split(filter.notTagsAny),
  });
}

/** Something by id, wherever that stands, or else by its properties; undefined when nothing is said. */
export function referenceToClusterApi(
  uuid: string | undefined,
  filter: OpenstackFilter = {},
): Draft<Reference> | undefined {
  const id = uuid || filter.id;
  if (id) return { id };
  const converted = filterToClusterApi(filter);
  return converted && { filter: converted };
}

export function subnetToClusterApi(uuid: string | undefined, filter: OldSubnetFilter = {}): Draft<Subnet> | undefined {
  const id = uuid || filter.id;
  if (id) return { id };
  const converted = filled<Draft<SubnetFilter>>({
    ...filterToClusterApi(filter),
    ipVersion: filter.ipVersion,
    gatewayIP: filter.gateway_ip,
    cidr: filter.cidr,
    ipv6AddressMode: filter.ipv6AddressMode,
    ipv6RAMode: filter.ipv6RaMode,
  });
  return converted && { filter: converted };
}

export function filterToMachineApi(filter: Filter = {}): Draft<OpenstackFilter> {
  return {
    name: filter.name,
    description: filter.description,
    projectId: filter.projectID,
    tags: join(filter.tags),
    tagsAny: join(filter.tagsAny),
    notTags: join(filter.notTags),
    notTagsAny: join(filter.notTagsAny),
  };
}

export function subnetFilterToMachineApi(filter: SubnetFilter = {}): Draft<OldSubnetFilter> {
  return {
    ...filterToMachineApi(filter),
    ipVersion: filter.ipVersion,
    gateway_ip: filter.gatewayIP,
    cidr: filter.cidr,
    ipv6AddressMode: filter.ipv6AddressMode,
    ipv6RaMode: filter.ipv6RAMode,
  };
}

/** Whether a filter of Cluster API selects anything. */
export const selects = (filter: object | undefined): boolean => filter !== undefined && Object.keys(filter).length > 0;
