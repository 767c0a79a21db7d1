import type { Draft } from '../../behaviour.ts';
import { child, items, maybe, setDefault, setDefaultNumber } from '../../defaulting.ts';
import { canonicalResources } from '../resources/canonical.ts';
import { defaultPullPolicy } from './image.ts';

/** Fills in one container, init container or ephemeral container. */
export function defaultContainer(container: Draft): void {
  setDefault(container, 'imagePullPolicy', defaultPullPolicy(container['image']));
  setDefault(container, 'terminationMessagePath', '/dev/termination-log');
  setDefault(container, 'terminationMessagePolicy', 'File');
  for (const port of items(container, 'ports')) setDefault(port, 'protocol', 'TCP');
  for (const env of items(container, 'env')) {
    const source = maybe(env, 'valueFrom');
    const fieldRef = maybe(source, 'fieldRef');
    if (fieldRef) setDefault(fieldRef, 'apiVersion', 'v1');
    const fileKeyRef = maybe(source, 'fileKeyRef');
    if (fileKeyRef) setDefault(fileKeyRef, 'optional', false);
    const divisor = maybe(source, 'resourceFieldRef');
    if (divisor) setDefault(divisor, 'divisor', '0');
  }
  // The field is a struct in the real server, so it is always written, even when empty.
  canonicalResources(child(container, 'resources'));
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = maybe(container, name);
    if (probe) defaultProbe(probe);
  }
  const lifecycle = maybe(container, 'lifecycle');
  for (const name of ['postStart', 'preStop']) defaultHttpGet(maybe(maybe(lifecycle, name), 'httpGet'));
}

function defaultProbe(probe: Draft): void {
  setDefaultNumber(probe, 'timeoutSeconds', 1);
  setDefaultNumber(probe, 'periodSeconds', 10);
  setDefaultNumber(probe, 'successThreshold', 1);
  setDefaultNumber(probe, 'failureThreshold', 3);
  defaultHttpGet(maybe(probe, 'httpGet'));
  const grpc = maybe(probe, 'grpc');
  if (grpc && (grpc['service'] === undefined || grpc['service'] === null)) grpc['service'] = '';
}

function defaultHttpGet(action: Draft | undefined): void {
  if (!action) return;
  setDefault(action, 'path', '/');
  setDefault(action, 'scheme', 'HTTP');
}
