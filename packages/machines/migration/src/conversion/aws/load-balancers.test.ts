import { formatFieldError } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { Findings } from '../findings.ts';
import { aws } from './index.ts';

const machine = (loadBalancers: readonly object[], role = 'master') => ({
  metadata: { labels: { 'machine.openshift.io/cluster-api-machine-role': role } },
  spec: { providerSpec: { value: { loadBalancers } } },
});

function complaints(subject: ReturnType<typeof machine>, spec: object): readonly string[] {
  const findings = new Findings();
  const infraCluster = { apiVersion: '', kind: 'AWSCluster', metadata: {}, spec };
  aws.checkCluster(subject, { infrastructure: { infrastructureName: 'prod' }, infraCluster, now: '' }, findings);
  return findings.errors.map((error) => formatFieldError(error).replace(/^.*?value\./, ''));
}

const cluster = {
  controlPlaneLoadBalancer: { name: 'int', loadBalancerType: 'nlb' },
  secondaryControlPlaneLoadBalancer: { name: 'ext', loadBalancerType: 'elb' },
};
const int = { name: 'int', type: 'network' };
const ext = { name: 'ext', type: 'classic' };

describe('Load balancers of the control plane', () => {
  it('When a machine names those of the cluster, it should be accepted', () => {
    expect(complaints(machine([int, ext]), cluster)).toEqual([]);
  });

  it('When a worker names none, it should not be compared', () => {
    expect(complaints(machine([], 'worker'), {})).toEqual([]);
  });

  it('When the cluster has none, it should say so', () => {
    expect(complaints(machine([int]), {})[0]).toMatch(/no control plane load balancer configured on AWSCluster$/);
  });

  it('When one is missing, one is unknown and one of another type, it should name each', () => {
    expect(
      complaints(
        machine([
          { name: 'int', type: 'classic' },
          { name: 'other', type: 'network' },
        ]),
        cluster,
      ),
    ).toEqual([
      'loadBalancers[0].type: Invalid value: "classic": load balancer "int" must be of type "network" to match AWSCluster',
      'loadBalancers[1].name: Invalid value: "other": unexpected load balancer "other" defined on machine',
      'loadBalancers: Invalid value: [{"name":"int","type":"classic"},{"name":"other","type":"network"}]: must include load balancer named "ext"',
    ]);
  });
});
