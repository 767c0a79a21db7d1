import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

export type EnvironmentVariables = { readonly [name: string]: string | undefined };

type Tree = { [key: string]: JsonValue | undefined };

/** The first of several variables that has a value. */
export function firstSet(env: EnvironmentVariables, names: readonly string[]): string | undefined {
  return names.map((name) => env[name]).find((text) => text !== undefined && text !== '');
}

/** Puts a value at a path such as `clients.broker.topic`, making the maps on the way. */
export function assignSetting(root: Tree, setting: string, value: JsonValue): void {
  const path = setting.split('.');
  let node = root;
  for (const key of path.slice(0, -1)) {
    if (!isJsonObject(node[key])) node[key] = {};
    node = node[key] as Tree;
  }
  node[path.at(-1)!] = value;
}
