import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { yamlText } from '../terminal/index.ts';
import { installCrds, installResources } from './objects.ts';
import { installDefaults } from './options.ts';

/** A file of the chart, by its path below the chart's folder. */
export interface ChartFile {
  readonly path: string;
  readonly content: string;
}

/** Stands for a value until YAML is written: text that needs no quotes and is found again. */
const placeholder = (value: string) => `HELM-VALUE-${value}`;
const placeholders = /'?HELM-VALUE-([A-Za-z]+)'?/g;

const fileName = ({ kind, metadata }: KubeObject) =>
  `${kind}-${metadata.name}.yaml`
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .replaceAll('helm-value-', '');

function template(object: KubeObject): ChartFile {
  const text = yamlText(object).replaceAll(placeholders, (_, value: string) =>
    value === 'namespace' ? '{{ .Release.Namespace }}' : `{{ .Values.${value} }}`,
  );
  return { path: `templates/${fileName(object)}`, content: text };
}

/** A chart that installs the same as the command; the namespace is that of the release, which Helm creates. */
export function helmChart(version: string): readonly ChartFile[] {
  const options = { ...installDefaults, namespace: placeholder('namespace'), image: placeholder('image') };
  const chart = {
    apiVersion: 'v2',
    name: 'hypershift-operator',
    description: 'The operator of hosted control planes',
    type: 'application',
    version,
    appVersion: version,
  };
  return [
    { path: 'Chart.yaml', content: yamlText(chart) },
    { path: 'values.yaml', content: yamlText({ image: installDefaults.image }) },
    ...installCrds(options).map((crd) => ({ path: `crds/${crd.metadata.name}.yaml`, content: yamlText(crd) })),
    ...installResources(options)
      .filter(({ kind }) => kind !== 'Namespace')
      .map(template),
  ];
}
