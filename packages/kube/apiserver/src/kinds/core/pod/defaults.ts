import type { Draft } from '../../behaviour.ts';
import { child, items, maybe, setDefault } from '../../defaulting.ts';
import { defaultPodSpec } from '../pod-spec/defaults.ts';

/** What only pods get, and templates do not: otherwise every template written by an older server would change. */
export function defaultPod(pod: Draft): void {
  const spec = child(pod, 'spec');
  if (!Object.isFrozen(spec)) defaultSpec(spec);
  const status = maybe(pod, 'status');
  if (status) defaultPodIPs(status);
}

function defaultSpec(spec: Draft): void {
  defaultPodSpec(spec);
  if (spec['terminationGracePeriodSeconds'] < 0) spec['terminationGracePeriodSeconds'] = 1;
  setDefault(spec, 'enableServiceLinks', true);
  for (const list of ['containers', 'initContainers']) {
    for (const container of items(spec, list)) {
      requestWhatIsLimited(child(container, 'resources'));
      if (spec['hostNetwork'] === true) {
        for (const port of items(container, 'ports')) if (!port['hostPort']) port['hostPort'] = port['containerPort'];
      }
    }
  }
}

/** A resource that has a limit and no request is requested up to its limit. */
function requestWhatIsLimited(resources: Draft): void {
  const limits = maybe(resources, 'limits');
  if (!limits) return;
  const requests = child(resources, 'requests');
  for (const name of Object.keys(limits)) if (!Object.hasOwn(requests, name)) requests[name] = limits[name];
}

/** `podIP` and the first of `podIPs` are one fact in two places; the single one wins. */
function defaultPodIPs(status: Draft): void {
  const first = items(status, 'podIPs')[0]?.['ip'];
  if (status['podIP']) {
    if (first !== status['podIP']) status['podIPs'] = [{ ip: status['podIP'] }];
  } else if (first) status['podIP'] = first;
}
