// Dependencies point down only, and a room is entered through its index.ts. Fails with every offence listed.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** What each room may import. Rooms of the same floor not named here must not know each other. */
const allowed = {
  'kube/apimachinery': [],
  'kube/cel': ['kube/apimachinery'],
  'kube/store': ['kube/apimachinery'],
  'kube/pki': ['kube/apimachinery'],
  'kube/client': ['kube/apimachinery'],
  'kube/controller': ['kube/apimachinery', 'kube/client'],
  'kube/apiserver': ['kube/apimachinery', 'kube/cel', 'kube/client', 'kube/pki', 'kube/store'],
  'kube/controllers': ['kube/apimachinery', 'kube/client', 'kube/controller', 'kube/pki'],
  'kube/kubelet': ['kube/apimachinery', 'kube/client', 'kube/controller', 'kube/pki'],
  'kube/programs': [
    'kube/apimachinery',
    'kube/apiserver',
    'kube/client',
    'kube/controller',
    'kube/controllers',
    'kube/kubelet',
    'kube/pki',
    'kube/store',
  ],
  'kube/embedded': [
    'kube/apimachinery',
    'kube/apiserver',
    'kube/client',
    'kube/controller',
    'kube/controllers',
    'kube/kubelet',
    'kube/pki',
    'kube/store',
  ],
  'machines/cluster-api': ['kube/*'],
  'machines/machine-approver': ['kube/*', 'machines/cluster-api'],
  'machines/cluster-autoscaler': ['kube/*', 'machines/cluster-api'],
  'machines/providers': ['kube/*'],
  'machines/machine-api': ['kube/*'],
  'machines/migration': ['kube/*', 'machines/cluster-api', 'machines/providers', 'machines/machine-api'],
  'hypershift/release': ['kube/*'],
  'hypershift/konnectivity': ['kube/*'],
  'hypershift/api': ['kube/*', 'machines/*'],
  'hypershift/ignition': ['kube/*', 'hypershift/api', 'hypershift/release'],
  'hypershift/platforms': ['kube/*', 'machines/*', 'hypershift/api', 'hypershift/release'],
  'hypershift/config-operator': [
    'kube/*',
    'machines/*',
    'hypershift/api',
    'hypershift/release',
    'hypershift/platforms',
    'hypershift/ignition',
    'hypershift/control-plane-pki',
  ],
  'hypershift/operator': [
    'kube/*',
    'machines/*',
    'hypershift/api',
    'hypershift/ignition',
    'hypershift/release',
    'hypershift/platforms',
    'hypershift/control-plane',
    'hypershift/control-plane-pki',
  ],
  'hypershift/control-plane-pki': ['kube/*', 'hypershift/api'],
  'hypershift/pki-operator': ['kube/*', 'hypershift/api', 'hypershift/control-plane-pki'],
  'hypershift/control-plane': [
    'kube/*',
    'machines/*',
    'hypershift/api',
    'hypershift/release',
    'hypershift/control-plane-pki',
    'hypershift/ignition',
    'hypershift/platforms',
  ],
  'hypershift/embedded': ['kube/*', 'machines/*', 'hypershift/*'],
  'hypershift/cli': ['kube/*', 'machines/*', 'hypershift/*'],
  'fleet/cloud-events': [],
  'fleet/database': ['kube/apimachinery'],
  'fleet/cli': ['fleet/*'],
  'fleet/maestro': [
    'fleet/cloud-events',
    'fleet/database',
    'fleet/http-client',
    'fleet/serving',
    'kube/apimachinery',
    'kube/client',
    'kube/controller',
  ],
  'fleet/api': ['fleet/database', 'fleet/serving', 'kube/apimachinery', 'kube/cel', 'kube/pki'],
  'fleet/settings': ['kube/apimachinery'],
  'fleet/http-client': ['kube/apimachinery'],
  'fleet/broker': ['fleet/cloud-events', 'fleet/settings', 'kube/apimachinery'],
  'fleet/serving': ['kube/apimachinery'],
  'fleet/status-reporter': ['fleet/serving', 'kube/apimachinery', 'kube/client'],
  'fleet/sentinel': [
    'fleet/broker',
    'fleet/cloud-events',
    'fleet/http-client',
    'fleet/serving',
    'fleet/settings',
    'kube/apimachinery',
    'kube/cel',
  ],
  'fleet/adapter': [
    'fleet/broker',
    'fleet/cloud-events',
    'fleet/http-client',
    'fleet/maestro',
    'fleet/serving',
    'fleet/settings',
    'kube/apimachinery',
    'kube/cel',
    'kube/client',
  ],
};

function* sourceFiles(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* sourceFiles(path);
    else if (path.endsWith('.ts')) yield path;
  }
}

function importsOf(text) {
  const statements = text.matchAll(/^(?:import|export)\s+(?:type\s+)?[\w*{][^;'"()=]*?\s*from\s+'([^']+)'/gm);
  const others = text.matchAll(/^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm);
  return [...statements, ...others].map((match) => match[1] ?? match[2]);
}

const rooms = new Map();
for (const floor of readdirSync('packages'))
  for (const room of readdirSync(join('packages', floor))) {
    const { name } = JSON.parse(readFileSync(join('packages', floor, room, 'package.json'), 'utf8'));
    rooms.set(name, `${floor}/${room}`);
  }

const offences = [];
for (const [name, room] of rooms) {
  const may = allowed[room];
  if (!may) {
    offences.push(`${room}: not listed in scripts/check-boundaries.mjs; say what it may import`);
    continue;
  }
  const declared = JSON.parse(readFileSync(join('packages', room, 'package.json'), 'utf8')).dependencies ?? {};
  for (const file of sourceFiles(join('packages', room, 'src'))) {
    const isTest = file.endsWith('.test.ts') || /[\\/](testing|conformance)[\\/]/.test(file);
    for (const specifier of importsOf(readFileSync(file, 'utf8'))) {
      if (specifier.startsWith('.')) {
        const target = resolve(dirname(file), specifier);
        if (!existsSync(target)) offences.push(`${file}: imports ${specifier}, which does not exist`);
        if (relative(join('packages', room), target).startsWith('..'))
          offences.push(`${file}: reaches into another room (${specifier})`);
      } else if (specifier.startsWith('@hypershift-ts/')) {
        const other = rooms.get(specifier);
        if (!other) offences.push(`${file}: ${specifier} is not a room's door`);
        else if (other !== room && !may.some((rule) => rule === other || rule === `${other.split('/')[0]}/*`))
          offences.push(`${file}: ${room} must not depend on ${other}`);
        else if (other !== room && !isTest && !(specifier in declared))
          offences.push(`${file}: ${specifier} is missing in the dependencies of ${name}`);
      } else if (!specifier.startsWith('node:') && !isTest) {
        const npm = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0];
        if (!(npm in declared)) offences.push(`${file}: ${npm} is missing in the dependencies of ${name}`);
      }
    }
  }
}
for (const offence of offences) console.error(offence);
console.log(offences.length === 0 ? `boundaries hold in ${rooms.size} rooms` : `${offences.length} offences`);
process.exit(offences.length === 0 ? 0 : 1);
