import { validateValue } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { monitoringCrds, openshiftCrds, type Route, routes, type ServiceMonitor } from './index.ts';

const crds = [...openshiftCrds(), ...monitoringCrds()];
const schemaOf = (name: string) =>
  crds.find(({ metadata }) => metadata.name === name)!.spec.versions[0]!.schema.openAPIV3Schema;

describe('OpenShift kinds', () => {
  it('When CRDs are made, it should name each once and say nothing about feature sets', () => {
    const names = crds.map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(names.length);
    expect(crds.filter(({ metadata }) => metadata.annotations)).toEqual([]);
  });

  it('When a Route is well formed, it should be accepted', () => {
    const route: Route = {
      apiVersion: 'route.openshift.io/v1',
      kind: 'Route',
      metadata: { name: 'oauth' },
      spec: {
        to: { kind: 'Service', name: 'oauth-openshift', weight: 100 },
        tls: { termination: 'passthrough' },
        wildcardPolicy: 'None',
      },
    };
    expect(validateValue(route, schemaOf(`${routes.resource}.${routes.group}`))).toEqual([]);
    const wrong = { ...route, spec: { ...route.spec, tls: { termination: 'magic' } } };
    expect(validateValue(wrong, schemaOf('routes.route.openshift.io'))).toMatchObject([
      { field: 'spec.tls.termination' },
    ]);
  });

  it('When a ServiceMonitor scrapes over TLS, it should be accepted', () => {
    const monitor: ServiceMonitor = {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata: { name: 'kube-apiserver' },
      spec: {
        selector: { matchLabels: { app: 'kube-apiserver' } },
        endpoints: [
          {
            port: 'client',
            scheme: 'https',
            interval: '15s',
            tlsConfig: { ca: { configMap: { name: 'root-ca', key: 'ca.crt' } } },
          },
        ],
      },
    };
    expect(validateValue(monitor, schemaOf('servicemonitors.monitoring.coreos.com'))).toEqual([]);
  });
});
