import type { UserInfo } from '../../request/context.ts';
import type { Decision } from '../attributes.ts';
import type { RoleSlot } from './rbac-index.ts';
import type { Binding, Subject } from './types.ts';
import { serviceAccountUser } from '../../authentication/service-account/names.ts';

/** One role given to one subject by one binding. */
export interface Grant {
  readonly slot: RoleSlot;
  /** `namespace/name` of the binding. */
  readonly binding: string;
  /** The answer when this grant decides, made once. */
  readonly allowed: Decision;
}

/** Bindings of one scope (the cluster, or one namespace) by who they are for. */
export class SubjectIndex {
  private readonly users = new Map<string, Grant[]>();
  private readonly groups = new Map<string, Grant[]>();

  get isEmpty(): boolean {
    return this.users.size === 0 && this.groups.size === 0;
  }

  clear(): void {
    this.users.clear();
    this.groups.clear();
  }

  add(binding: Binding, slot: RoleSlot): void {
    for (const subject of binding.subjects ?? []) {
      const [index, key] = this.place(subject, binding.metadata.namespace ?? '');
      if (!index) continue;
      const grant: Grant = {
        slot,
        binding: bindingKey(binding),
        allowed: Object.freeze({ decision: 'allow', reason: `RBAC: allowed by ${describe(binding, subject)}` }),
      };
      const list = index.get(key);
      if (list) list.push(grant);
      else index.set(key, [grant]);
    }
  }

  remove(binding: Binding): void {
    const gone = bindingKey(binding);
    for (const subject of binding.subjects ?? []) {
      const [index, key] = this.place(subject, binding.metadata.namespace ?? '');
      const left = index?.get(key)?.filter((grant) => grant.binding !== gone);
      if (!index || !left) continue;
      if (left.length > 0) index.set(key, left);
      else index.delete(key);
    }
  }

  /** The first grant of the user or its groups for which `visit` answers true. */
  find(user: UserInfo, visit: (grant: Grant) => boolean): Grant | undefined {
    const own = this.users.get(user.name);
    if (own !== undefined) for (const grant of own) if (visit(grant)) return grant;
    for (const group of user.groups) {
      const shared = this.groups.get(group);
      if (shared !== undefined) for (const grant of shared) if (visit(grant)) return grant;
    }
    return undefined;
  }

  private place(subject: Subject, bindingNamespace: string): [Map<string, Grant[]> | undefined, string] {
    switch (subject.kind) {
      case 'User':
        return [this.users, subject.name];
      case 'Group':
        return [this.groups, subject.name];
      case 'ServiceAccount': {
        // A RoleBinding may leave the namespace of an account beside it unsaid.
        const namespace = subject.namespace || bindingNamespace;
        return namespace === '' ? [undefined, ''] : [this.users, serviceAccountUser(namespace, subject.name)];
      }
      default:
        return [undefined, ''];
    }
  }
}

function bindingKey(binding: Binding): string {
  return `${binding.metadata.namespace ?? ''}/${binding.metadata.name}`;
}

function describe(binding: Binding, subject: Subject): string {
  const { name, namespace } = binding.metadata;
  const who =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || (namespace ?? '')}` : subject.name;
  const what = namespace ? `RoleBinding "${name}/${namespace}"` : `ClusterRoleBinding "${name}"`;
  return `${what} of ${binding.roleRef.kind} "${binding.roleRef.name}" to ${subject.kind} "${who}"`;
}
