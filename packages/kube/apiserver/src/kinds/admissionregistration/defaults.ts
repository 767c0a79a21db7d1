import type { Draft } from '../behaviour.ts';
import { child, items, maybe, setDefault } from '../defaulting.ts';

function defaultRules(owner: Draft | undefined, key: string): void {
  for (const rule of items(owner, key)) setDefault(rule, 'scope', '*');
}

/** Fills in every webhook of a configuration. */
export function defaultWebhooks(configuration: Draft, mutating: boolean): void {
  for (const webhook of items(configuration, 'webhooks')) {
    setDefault(webhook, 'failurePolicy', 'Fail');
    setDefault(webhook, 'matchPolicy', 'Equivalent');
    child(webhook, 'namespaceSelector');
    child(webhook, 'objectSelector');
    setDefault(webhook, 'timeoutSeconds', 10);
    if (mutating) setDefault(webhook, 'reinvocationPolicy', 'Never');
    defaultRules(webhook, 'rules');
    const service = maybe(maybe(webhook, 'clientConfig'), 'service');
    if (service) setDefault(service, 'port', 443);
  }
}

function defaultMatchResources(resources: Draft | undefined): void {
  if (!resources) return;
  setDefault(resources, 'matchPolicy', 'Equivalent');
  child(resources, 'namespaceSelector');
  child(resources, 'objectSelector');
  defaultRules(resources, 'resourceRules');
  defaultRules(resources, 'excludeResourceRules');
}

/** A ValidatingAdmissionPolicy or MutatingAdmissionPolicy. */
export function defaultPolicy(policy: Draft): void {
  const spec = child(policy, 'spec');
  setDefault(spec, 'failurePolicy', 'Fail');
  defaultMatchResources(maybe(spec, 'matchConstraints'));
}

/** The binding of either. */
export function defaultPolicyBinding(binding: Draft): void {
  defaultMatchResources(maybe(child(binding, 'spec'), 'matchResources'));
}
