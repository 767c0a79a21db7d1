import type { CelType } from '../check/type.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  NULL,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
} from '../check/type.ts';
import { MacroSet } from '../syntax/macro.ts';
import type { MacroDeclaration } from '../syntax/macro.ts';
import { bindingMacros, standardMacros, twoVariableMacros } from '../syntax/standard-macros.ts';
import { mapGet } from '../values/equality.ts';
import type { FunctionDeclaration, Library } from './declaration.ts';
import { declare, global } from './declaration.ts';
import { operators } from './operators.ts';
import { optionals } from './optionals.ts';
import { standardFunctions } from './standard.ts';
import { timeFunctions } from './time.ts';

/** Things an environment may add to what Kubernetes has. */
export type Extension = 'bindings';

/** Everything a Kubernetes release offers to expressions. Shared by all environments of that release. */
export interface LibrarySet {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly typeNames: ReadonlyMap<string, CelType>;
  readonly macros: MacroSet;
  readonly optionals: boolean;
  readonly literalValidators: boolean;
}

interface Versioned {
  readonly since: number;
  readonly until?: number;
  readonly library: Library;
}

const mapInsert: Library = {
  macros: twoVariableMacros,
  functions: [
    declare(
      'cel.@mapInsert',
      global('@mapInsert_map_map', [mapType(DYN, DYN), mapType(DYN, DYN)], mapType(DYN, DYN), mapGet),
      global('@mapInsert_map_key_value', [mapType(DYN, DYN), DYN, DYN], mapType(DYN, DYN), mapGet),
    ),
  ],
};

/** Minor releases that introduced (and removed) each library. */
const LIBRARIES: readonly Versioned[] = [
  { since: 0, library: { functions: [...standardFunctions, ...timeFunctions], macros: standardMacros } },
  { since: 28, library: optionals },
  { since: 32, library: mapInsert },
];

const BASE_TYPES: readonly CelType[] = [
  BOOL,
  INT,
  UINT,
  DOUBLE,
  STRING,
  BYTES,
  NULL,
  TIMESTAMP,
  DURATION,
  TYPE,
  listType(DYN),
  mapType(DYN, DYN),
];

const sets = new Map<string, LibrarySet>();

/** The libraries of a release such as `1.34`. */
export function librariesFor(kubernetesVersion: string, extensions: readonly Extension[]): LibrarySet {
  const key = `${kubernetesVersion}+${extensions.toSorted().join('+')}`;
  let set = sets.get(key);
  if (!set) sets.set(key, (set = assemble(minorOf(kubernetesVersion), extensions)));
  return set;
}

function minorOf(version: string): number {
  const match = /^v?1\.(\d{1,4})(?:\.|$)/.exec(version);
  if (!match) throw new TypeError(`not a Kubernetes version: ${version}`);
  return Number(match[1]);
}

function assemble(minor: number, extensions: readonly Extension[]): LibrarySet {
  const libraries = LIBRARIES.filter(({ since, until = Number.POSITIVE_INFINITY }) => minor >= since && minor < until);
  const core: Library = { functions: operators({ crossTypeNumeric: minor >= 28, optionals: minor >= 28 }) };
  const functions = new Map<string, FunctionDeclaration>();
  const macros: MacroDeclaration[] = extensions.includes('bindings') ? [...bindingMacros] : [];
  const typeNames = new Map(BASE_TYPES.map((type) => [type.name, type]));
  for (const library of [core, ...libraries.map((entry) => entry.library)]) {
    for (const declaration of library.functions) merge(functions, declaration);
    macros.push(...(library.macros ?? []));
    for (const type of library.types ?? []) typeNames.set(type.name, type);
  }
  return { functions, typeNames, macros: new MacroSet(macros), optionals: minor >= 28, literalValidators: minor >= 29 };
}

/** Several libraries may add overloads to one function; a later one with the same id replaces the earlier. */
function merge(functions: Map<string, FunctionDeclaration>, declaration: FunctionDeclaration): void {
  const known = functions.get(declaration.name);
  if (!known) {
    functions.set(declaration.name, declaration);
    return;
  }
  const ids = new Set(declaration.overloads.map(({ id }) => id));
  const kept = known.overloads.filter(({ id }) => !ids.has(id));
  functions.set(declaration.name, { name: declaration.name, overloads: [...kept, ...declaration.overloads] });
}
