import type { KubeObject, WatchEventType } from '@hypershift-ts/kube-apimachinery';
import type { UserInfo } from '../../request/context.ts';
import type { Attributes, Decision, SyncAuthorizer } from '../attributes.ts';
import { noOpinion } from '../attributes.ts';
import type { CompiledRules } from './compiled-rules.ts';
import { combinedResource, compiledRules, resourceAllowed, urlAllowed } from './compiled-rules.ts';
import { SubjectIndex } from './subject-index.ts';
import type { Grant } from './subject-index.ts';
import type { Binding, ClusterRole, PolicyRule, Role, RoleRef } from './types.ts';

/** A role as bindings see it: it may not exist yet, and exists for all its bindings at once when it does. */
export interface RoleSlot {
  readonly kind: string;
  readonly name: string;
  rules: readonly PolicyRule[] | undefined;
  /** How many bindings refer here; an absent role nobody refers to is forgotten. */
  references: number;
}

const noRules: readonly PolicyRule[] = Object.freeze([]);

const kinds = new Set(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']);

/**
 * RBAC over an index kept up to date by watch events. A check touches only bindings of the user and its groups, and in
 * each bound role only the rules that name the resource.
 */
export class RbacIndex implements SyncAuthorizer {
  private readonly roles = new Map<string, RoleSlot>();
  private readonly cluster = new SubjectIndex();
  private readonly byNamespace = new Map<string, SubjectIndex>();
  private readonly bindings = new Map<string, { readonly binding: Binding; readonly slot: RoleSlot }>();

  /** Takes one watch event; kinds other than RBAC's four are ignored. */
  apply(event: { readonly type: WatchEventType; readonly object: KubeObject }): void {
    const { type, object } = event;
    if (!kinds.has(object.kind) || type === 'BOOKMARK' || type === 'ERROR') return;
    const present = type !== 'DELETED';
    if (object.kind === 'Role' || object.kind === 'ClusterRole') {
      this.setRole(object, present ? ((object as Role).rules ?? noRules) : undefined);
    } else this.setBinding(object as Binding, present);
  }

  /** Replaces everything, after a fresh list. */
  replace(objects: Iterable<KubeObject>): void {
    this.roles.clear();
    this.cluster.clear();
    this.byNamespace.clear();
    this.bindings.clear();
    for (const object of objects) this.apply({ type: 'ADDED', object });
  }

  authorize(attributes: Attributes): Decision {
    const combined = attributes.isResource ? combinedResource(attributes) : '';
    const test = attributes.isResource
      ? (compiled: CompiledRules) => resourceAllowed(compiled, attributes, combined)
      : (compiled: CompiledRules) => urlAllowed(compiled, attributes);
    let missing: RoleSlot[] | undefined;
    const visit = (grant: Grant): boolean => {
      const { rules } = grant.slot;
      if (rules === undefined) {
        missing ??= [];
        if (!missing.includes(grant.slot)) missing.push(grant.slot);
        return false;
      }
      return rules.length > 0 && test(compiledRules(rules));
    };
    const grant =
      this.cluster.find(attributes.user, visit) ??
      (attributes.namespace === ''
        ? undefined
        : this.byNamespace.get(attributes.namespace)?.find(attributes.user, visit));
    if (grant) return grant.allowed;
    return missing ? { decision: 'no-opinion', reason: `RBAC: ${resolutionErrors(missing)}` } : noOpinion;
  }

  /** Every rule that applies to the user, cluster-wide bindings first, and what could not be resolved. */
  rulesFor(user: UserInfo, namespace: string): { readonly rules: readonly PolicyRule[]; readonly errors: string } {
    const rules: PolicyRule[] = [];
    const seen = new Set<string>();
    const missing: RoleSlot[] = [];
    const visit = (grant: Grant): boolean => {
      // A user may be subject of one binding by name and by group.
      if (seen.has(grant.binding)) return false;
      seen.add(grant.binding);
      if (grant.slot.rules) rules.push(...grant.slot.rules);
      else if (!missing.includes(grant.slot)) missing.push(grant.slot);
      return false;
    };
    this.cluster.find(user, visit);
    if (namespace !== '') this.byNamespace.get(namespace)?.find(user, visit);
    return { rules, errors: missing.length > 0 ? resolutionErrors(missing) : '' };
  }

  /** The rules a roleRef stands for, or undefined when there is no such role. */
  rulesOf(roleRef: Pick<RoleRef, 'kind' | 'name'>, namespace: string): readonly PolicyRule[] | undefined {
    return this.roles.get(slotKey(roleRef.kind, roleRef.kind === 'Role' ? namespace : '', roleRef.name))?.rules;
  }

  private slot(kind: string, namespace: string, name: string): RoleSlot {
    const key = slotKey(kind, namespace, name);
    let slot = this.roles.get(key);
    if (!slot) {
      slot = { kind, name, rules: undefined, references: 0 };
      this.roles.set(key, slot);
    }
    return slot;
  }

  private setRole(role: ClusterRole, rules: readonly PolicyRule[] | undefined): void {
    const { name = '', namespace = '' } = role.metadata;
    const slot = this.slot(role.kind, namespace, name);
    slot.rules = rules;
    if (rules === undefined && slot.references === 0) this.roles.delete(slotKey(role.kind, namespace, name));
  }

  private setBinding(binding: Binding, present: boolean): void {
    const { name = '', namespace = '' } = binding.metadata;
    const key = `${namespace}/${name}`;
    const old = this.bindings.get(key);
    if (old) this.unbind(key, namespace, old);
    if (!present) return;
    const { roleRef } = binding;
    const slot = this.slot(roleRef.kind, roleRef.kind === 'Role' ? namespace : '', roleRef.name);
    slot.references++;
    this.bindings.set(key, { binding, slot });
    if (namespace === '') this.cluster.add(binding, slot);
    else {
      let index = this.byNamespace.get(namespace);
      if (!index) this.byNamespace.set(namespace, (index = new SubjectIndex()));
      index.add(binding, slot);
    }
  }

  private unbind(key: string, namespace: string, old: { readonly binding: Binding; readonly slot: RoleSlot }): void {
    this.bindings.delete(key);
    const index = namespace === '' ? this.cluster : this.byNamespace.get(namespace);
    index?.remove(old.binding);
    if (namespace !== '' && index?.isEmpty) this.byNamespace.delete(namespace);
    const { slot } = old;
    slot.references--;
    if (slot.references === 0 && slot.rules === undefined) {
      this.roles.delete(slotKey(slot.kind, slot.kind === 'Role' ? namespace : '', slot.name));
    }
  }
}

function slotKey(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}

function resolutionErrors(missing: readonly RoleSlot[]): string {
  const texts = missing.map((slot) => `${slot.kind.toLowerCase()}.rbac.authorization.k8s.io "${slot.name}" not found`);
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}
