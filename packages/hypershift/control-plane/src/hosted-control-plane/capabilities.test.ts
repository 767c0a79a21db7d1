import { describe, expect, it } from 'vitest';
import { managementCluster } from '../framework/management.ts';
import { routes } from '../framework/optional-kinds.ts';
import { testControlPlane } from '../testing/context.ts';
import { missingCapabilities } from './capabilities.ts';

describe('capabilities of the management cluster', () => {
  it('When Routes are wanted but not served, it should name the services and the way out', () => {
    const [text] = missingCapabilities({ hcp: testControlPlane(), management: managementCluster([], 33) });
    expect(text).toMatch(
      /^spec\.services: OAuthServer, Konnectivity, Ignition should be published by Route, but .*NodePort/,
    );
  });

  it('When Routes are served, or nobody wants them, it should be content', () => {
    const management = managementCluster([routes], 33);
    expect(missingCapabilities({ hcp: testControlPlane(), management })).toEqual([]);
    const hcp = testControlPlane({ spec: { services: [] } });
    expect(missingCapabilities({ hcp, management: managementCluster([], 33) })).toEqual([]);
  });
});
