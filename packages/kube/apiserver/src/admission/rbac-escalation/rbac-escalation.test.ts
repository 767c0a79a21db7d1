import { describe, expect, it } from 'vitest';
import { noOpinion, RbacIndex } from '../../authorization/index.ts';
import type { Draft } from '../../kinds/behaviour.ts';
import { admit, aRequest } from '../testing/requests.ts';
import { rbacEscalation } from './index.ts';

const role = (rules: object[], metadata: Draft = {}): Draft => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'reader', namespace: 'default', ...metadata },
  rules,
});
const rule = { verbs: ['get'], apiGroups: [''], resources: ['secrets'] };
const plugin = rbacEscalation(new RbacIndex(), { authorize: () => noOpinion });

describe('RBAC escalation', () => {
  it('When a user grants what it does not hold, it should be refused', async () => {
    await expect(admit(plugin, aRequest({ object: role([rule]) }))).rejects.toThrow(
      'is attempting to grant RBAC permissions not currently held',
    );
  });

  it('When an administrator grants it, it should pass', async () => {
    await expect(
      admit(plugin, aRequest({ object: role([rule]) }), { name: 'root', groups: ['system:masters'] }),
    ).resolves.toBeDefined();
  });

  it('When only owner references and finalizers change, it should pass', async () => {
    const old = role([rule], { resourceVersion: '1', finalizers: ['a'] });
    const object = role([rule], { resourceVersion: '1', ownerReferences: [{ uid: 'x' }] });
    await expect(admit(plugin, aRequest({ object, old }))).resolves.toBeDefined();
    const labelled = role([rule], { resourceVersion: '1', labels: { a: 'b' } });
    await expect(admit(plugin, aRequest({ object: labelled, old }))).rejects.toThrow('not currently held');
  });
});
