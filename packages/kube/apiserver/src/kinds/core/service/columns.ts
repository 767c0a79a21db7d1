import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Column, Draft } from '../../behaviour.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text, wide } from '../../table/columns.ts';
import { formatLabels, loadBalancerAddresses } from '../../table/format.ts';
import { listOf, numberOf, specOf, statusOf, stringsOf, textOf } from '../../values.ts';

export const serviceColumns: readonly Column[] = [
  nameColumn,
  text('Type', 'How the service is exposed.'),
  text('Cluster-IP', 'Address inside the cluster.'),
  text('External-IP', 'Addresses outside the cluster.'),
  text('Port(s)', 'Ports, with their node ports.'),
  ageColumn,
  wide(text('Selector', 'Labels of the pods behind it.')),
];

export function serviceCells(service: UnstructuredObject, now: number): readonly unknown[] {
  const spec = specOf(service);
  const ports = listOf(spec['ports']).map(portText).join(',');
  return [
    nameOf(service),
    textOf(spec['type']),
    stringsOf(spec['clusterIPs'])[0] || textOf(spec['clusterIP']) || '<none>',
    externalAddress(spec, statusOf(service)),
    ports === '' ? '<none>' : ports,
    ageOf(service, now),
    formatLabels(spec['selector']),
  ];
}

function portText(port: Draft): string {
  const nodePort = numberOf(port['nodePort']);
  return nodePort > 0
    ? `${numberOf(port['port'])}:${nodePort}/${port['protocol']}`
    : `${numberOf(port['port'])}/${port['protocol']}`;
}

function externalAddress(spec: Draft, status: Draft): string {
  const own = stringsOf(spec['externalIPs']);
  switch (spec['type']) {
    case 'ClusterIP':
    case 'NodePort':
      return own.length > 0 ? own.join(',') : '<none>';
    case 'LoadBalancer': {
      const addresses = [...loadBalancerAddresses(status['loadBalancer']), ...own];
      return addresses.length > 0 ? addresses.join(',') : '<pending>';
    }
    case 'ExternalName':
      return textOf(spec['externalName']);
    default:
      return '<unknown>';
  }
}
