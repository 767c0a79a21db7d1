import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import type { CelValue } from '@hypershift-ts/kube-cel';
import { toJson } from '@hypershift-ts/kube-cel';
import { withDoubles } from '../expression/index.ts';

/** A value in the two forms it is used in: JSON for templates and reports, CEL for expressions. */
export interface ParamValue {
  readonly json: JsonValue;
  readonly cel: CelValue;
}

/** A value out of decoded JSON, whose numbers are doubles. */
export function fromJson(json: JsonValue): ParamValue {
  return { json, cel: withDoubles(json) };
}

/** A value whose whole numbers are ints. */
export function asIs(json: JsonValue): ParamValue {
  return { json, cel: json };
}

/** The result of an expression; throws `CelRuntimeError` when it has no JSON form. */
export function fromExpression(cel: CelValue): ParamValue {
  return { json: toJson(cel), cel };
}

/** The parameters of one run, in the order they came. */
export class ParamTable {
  private readonly values = new Map<string, ParamValue>();

  set(name: string, value: ParamValue): void {
    this.values.set(name, value);
  }

  get(name: string): ParamValue | undefined {
    return this.values.get(name);
  }

  /** For templates, traces and structured conditions. */
  json(): JsonObject {
    return Object.fromEntries([...this.values].map(([name, { json }]) => [name, json]));
  }

  /** For expressions. */
  cel(): Record<string, CelValue> {
    return Object.fromEntries([...this.values].map(([name, { cel }]) => [name, cel]));
  }
}
