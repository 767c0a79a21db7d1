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
  paramType,
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
import { cidrLibrary, ipLibrary } from './addresses.ts';
import { authorizationLibrary, authorizationSelectors } from './authorization.ts';
import { formatLibrary } from './formats.ts';
import { quantityLibrary, regexLibrary, semverLibrary, urlLibrary } from './kubernetes-values.ts';
import { listExtension, listIncludes, listLibrary, setLibrary } from './lists.ts';
import { operators } from './operators.ts';
import { optionals } from './optionals.ts';
import { stringLibrary, stringLibraryAdditions, stringReverse } from './strings.ts';
import { standardFunctions } from './standard.ts';
import { timeFunctions } from './time.ts';

/** Things an environment may add to what Kubernetes has. */
export type Extension = 'bindings' | 'string-reverse';

/** Everything a Kubernetes release offers to expressions. Shared by all environments of that release. */
export interface LibrarySet {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly typeNames: ReadonlyMap<string, CelType>;
  readonly macros: MacroSet;
  readonly optionals: boolean;
  readonly literalValidators: boolean;
}

const K = paramType('K');
const V = paramType('V');
const MAP_KV = mapType(K, V);

interface Versioned {
  /** First minor release that has it. */
  readonly since: number;
  readonly library: Library;
}

/** The macros insert through a function only they can name; the evaluator compiles it away. */
const twoVariableComprehensions: Library = {
  macros: twoVariableMacros,
  functions: [
    declare(
      'cel.@mapInsert',
      global('@mapInsert_map_map', [MAP_KV, MAP_KV], MAP_KV, mapGet),
      global('@mapInsert_map_key_value', [MAP_KV, K, V], MAP_KV, mapGet),
    ),
  ],
};

/** In the order Kubernetes introduced them. */
const LIBRARIES: readonly Versioned[] = [
  { since: 0, library: { functions: [...standardFunctions, ...timeFunctions], macros: standardMacros } },
  { since: 0, library: urlLibrary },
  { since: 0, library: regexLibrary },
  { since: 0, library: listLibrary },
  { since: 0, library: stringLibrary },
  { since: 27, library: authorizationLibrary },
  { since: 28, library: optionals },
  { since: 28, library: quantityLibrary },
  { since: 29, library: stringLibraryAdditions },
  { since: 29, library: setLibrary },
  { since: 30, library: ipLibrary },
  { since: 30, library: cidrLibrary },
  { since: 31, library: formatLibrary },
  { since: 31, library: authorizationSelectors },
  { since: 32, library: twoVariableComprehensions },
  { since: 33, library: semverLibrary },
  { since: 34, library: listExtension },
  { since: 37, library: listIncludes },
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
  const libraries = LIBRARIES.filter(({ since }) => minor >= since);
  const core: Library = { functions: operators({ crossTypeNumeric: minor >= 28, optionals: minor >= 28 }) };
  const functions = new Map<string, FunctionDeclaration>();
  const macros: MacroDeclaration[] = extensions.includes('bindings') ? [...bindingMacros] : [];
  const typeNames = new Map(BASE_TYPES.map((type) => [type.name, type]));
  const extra = extensions.includes('string-reverse') ? [stringReverse] : [];
  for (const library of [core, ...libraries.map((entry) => entry.library), ...extra]) {
    for (const declaration of library.functions) merge(functions, declaration);
    macros.push(...(library.macros ?? []));
    for (const type of library.types ?? []) typeNames.set(type.name, type);
  }
  return { functions, typeNames, macros: new MacroSet(macros), optionals: minor >= 28, literalValidators: minor >= 29 };
}

/** Several libraries may add overloads to one function; a later one with the same id replaces the earlier. */
export function merge(functions: Map<string, FunctionDeclaration>, declaration: FunctionDeclaration): void {
  const known = functions.get(declaration.name);
  if (!known) {
    functions.set(declaration.name, declaration);
    return;
  }
  const ids = new Set(declaration.overloads.map(({ id }) => id));
  const kept = known.overloads.filter(({ id }) => !ids.has(id));
  functions.set(declaration.name, { name: declaration.name, overloads: [...kept, ...declaration.overloads] });
}
