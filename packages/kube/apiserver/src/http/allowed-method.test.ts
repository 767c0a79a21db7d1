import { describe, expect, it } from 'vitest';
import { parseRequestInfo } from '../request/request-info.ts';
import { builtinCatalogue } from '../resource/builtin.ts';
import { Catalogue } from '../resource/catalogue.ts';
import { checkRoute } from './allowed-method.ts';

const catalogue = new Catalogue(builtinCatalogue());

function answer(method: string, path: string): number {
  const info = parseRequestInfo(method, path, { watch: false, fieldSelector: '' });
  try {
    checkRoute(catalogue.find(info.group, info.version, info.resource)!, info, method);
    return 200;
  } catch (error) {
    return (error as { code: number }).code;
  }
}

// What kube-apiserver 1.37 answers.
describe('checkRoute', () => {
  it.each([
    ['POST', '/api/v1/namespaces/n/configmaps', 200],
    ['POST', '/api/v1/configmaps', 405],
    ['POST', '/api/v1/namespaces/n/configmaps/x', 405],
    ['PUT', '/api/v1/namespaces/n/configmaps', 405],
    ['PATCH', '/api/v1/configmaps', 405],
    ['DELETE', '/api/v1/configmaps', 405],
    ['DELETE', '/api/v1/namespaces/n/configmaps', 200],
    ['DELETE', '/api/v1/namespaces', 405],
    ['DELETE', '/api/v1/namespaces/n', 200],
    ['PUT', '/api/v1/namespaces/n/finalize', 200],
    ['GET', '/api/v1/configmaps', 200],
    ['GET', '/api/v1/configmaps/x', 404],
    ['GET', '/api/v1/namespaces/n/nodes', 404],
    ['HEAD', '/api/v1/configmaps', 405],
    ['OPTIONS', '/api/v1/configmaps', 405],
    ['GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 405],
    ['DELETE', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 405],
    ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 200],
    ['PUT', '/api/v1/namespaces/n/pods/p/log', 405],
    ['GET', '/api/v1/namespaces/n/pods/p/nope', 404],
    ['GET', '/api/v1/namespaces/n/configmaps/c/status', 404],
    ['PATCH', '/api/v1/namespaces/n/pods/p/status', 200],
    ['DELETE', '/apis/apps/v1/namespaces/n/deployments/d/scale', 405],
  ])('When %s %s comes, it should answer %i', (method, path, code) => {
    expect(answer(method, path)).toBe(code);
  });
});
