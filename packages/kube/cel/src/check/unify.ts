import type { CelType } from './type.ts';
import { DYN, isOptional, listType, mapType, sameType, typeType } from './type.ts';

/** Bindings of type parameters made so far, by parameter name; a failed attempt can be taken back. */
export class Bindings {
  private readonly table = new Map<string, CelType>();
  private trail: { name: string; previous: CelType | undefined }[] = [];

  get(name: string): CelType | undefined {
    return this.table.get(name);
  }
  set(name: string, type: CelType): void {
    this.trail.push({ name, previous: this.table.get(name) });
    this.table.set(name, type);
  }
  /** Keeps the bindings `attempt` makes only if it succeeds. */
  attempt(attempt: () => boolean): boolean {
    this.trail = [];
    if (attempt()) return true;
    for (const { name, previous } of this.trail.reverse()) {
      if (previous) this.table.set(name, previous);
      else this.table.delete(name);
    }
    return false;
  }
}

export function isDyn(type: CelType): boolean {
  return type.kind === 'dyn';
}

export function isDynOrError(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

export function unwrapOptional(type: CelType): { type: CelType; wasOptional: boolean } {
  return isOptional(type) ? { type: type.params[0]!, wasOptional: true } : { type, wasOptional: false };
}

/** Whether `from` may be used where `to` is wanted. Binds type parameters; on failure `bindings` is untouched. */
export function assign(bindings: Bindings, from: CelType, to: CelType): boolean {
  return assignAll(bindings, [from], [to]);
}

export function assignAll(bindings: Bindings, from: readonly CelType[], to: readonly CelType[]): boolean {
  return bindings.attempt(() => unifyAll(bindings, from, to));
}

function unifyAll(m: Bindings, a: readonly CelType[], b: readonly CelType[]): boolean {
  return a.length === b.length && a.every((type, i) => unify(m, type, b[i]!));
}

function unify(m: Bindings, a: CelType, b: CelType): boolean {
  if (b.kind === 'param') {
    const { valid, bound } = bindParam(m, a, b);
    if (valid) return true;
    if (bound) return false;
  }
  if (a.kind === 'param') return bindParam(m, b, a).valid;
  if (isDynOrError(a) || isDynOrError(b)) return true;
  if (a.kind === 'null') return acceptsNull(b);
  if (b.kind === 'null') return acceptsNull(a);
  switch (a.kind) {
    case 'type':
      return b.kind === 'type';
    case 'opaque':
    case 'list':
    case 'map':
      return a.kind === b.kind && a.name === b.name && unifyAll(m, a.params, b.params);
    default:
      return a.kind === b.kind && a.name === b.name;
  }
}

/** Whether `type` can stand for the parameter, and whether the parameter had been bound before. */
function bindParam(m: Bindings, type: CelType, param: CelType): { valid: boolean; bound: boolean } {
  if (type.kind === 'param' && type.name === param.name) return { valid: true, bound: true };
  const current = m.get(param.name);
  if (current) {
    if (sameType(type, current)) return { valid: true, bound: true };
    if (!unify(m, type, current)) return { valid: false, bound: true };
    const wider = mostGeneral(type, current);
    if (!occurs(m, param, wider)) m.set(param.name, wider);
    return { valid: true, bound: true };
  }
  if (occurs(m, param, type)) return { valid: false, bound: false };
  m.set(param.name, type);
  return { valid: true, bound: false };
}

function acceptsNull(type: CelType): boolean {
  switch (type.kind) {
    case 'null':
    case 'opaque':
    case 'struct':
    case 'duration':
    case 'timestamp':
      return true;
    default:
      return type.nullable ?? false;
  }
}

/** Of two types that unify, the one that promises less. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param') return false;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'opaque':
    case 'list':
    case 'map':
      return (
        a.name === b.name &&
        a.params.length === b.params.length &&
        a.params.every((p, i) => isLessSpecific(p, b.params[i]!))
      );
    case 'type':
      return true;
    default:
      return sameType(a, b);
  }
}

function occurs(m: Bindings, param: CelType, within: CelType): boolean {
  if (within.kind === 'param') {
    if (within.name === param.name) return true;
    const bound = m.get(within.name);
    return bound ? occurs(m, param, bound) : false;
  }
  return within.params.some((inner) => occurs(m, param, inner));
}

/** Replaces bound parameters, and unbound ones by dyn when asked. Types without parameters are returned as they are. */
export function substitute(m: Bindings, type: CelType, unboundToDyn: boolean): CelType {
  if (type.kind === 'param') {
    const bound = m.get(type.name);
    if (bound) return substitute(m, bound, unboundToDyn);
    return unboundToDyn ? DYN : type;
  }
  if (!hasParam(type)) return type;
  const params = type.params.map((inner) => substitute(m, inner, unboundToDyn));
  switch (type.kind) {
    case 'list':
      return listType(params[0]!, type.schema);
    case 'map':
      return mapType(params[0]!, params[1]!, type.schema);
    case 'type':
      return params.length > 0 ? typeType(params[0]!) : type;
    default:
      return { ...type, params };
  }
}

function hasParam(type: CelType): boolean {
  return type.kind === 'param' || type.params.some(hasParam);
}
