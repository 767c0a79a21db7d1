import { findBundle, pageOfBundles } from '../bundle-rows.ts';
import { createConsumer, deleteConsumer, findConsumer, pageOfConsumers, relabelConsumer } from '../consumer-rows.ts';
import { MaestroError } from '../maestro-error.ts';
import { searchableBundles, searchableConsumers, whereOf } from '../search/search.ts';
import type { WorkHub } from '../work-hub.ts';
import { pagingOf } from './paging.ts';
import { basePath, bundleView, consumerView, listView } from './views.ts';

interface Request {
  readonly hub: WorkHub;
  /** The part of the path that names an object. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: () => Promise<Readonly<Record<string, unknown>>>;
}

type Handler = (request: Request) => Promise<{ status: number; body?: object }>;

interface Route {
  readonly path: RegExp;
  readonly methods: Readonly<Record<string, Handler>>;
}

const at = (path: string): RegExp => new RegExp(`^${basePath}${path}$`);

const metadata: Handler = async () => ({
  status: 200,
  body: { id: 'v1', kind: 'APIVersion', href: basePath, collections: ['consumers', 'resource-bundles'] },
});

const listConsumers: Handler = async ({ hub, query }) => {
  const paging = pagingOf(query, Object.keys(searchableConsumers.columns));
  const where = whereOf(query.get('search') ?? undefined, searchableConsumers);
  const { total, items } = await pageOfConsumers(hub.database, where, paging.order, paging);
  return { status: 200, body: listView('ConsumerList', paging.page, total, items.map(consumerView)) };
};

const addConsumer: Handler = async ({ hub, body }) => {
  const { id, name, labels } = await body();
  if (id !== undefined) throw new MaestroError('validation', 'id must be empty');
  if (name !== undefined && typeof name !== 'string') throw new MaestroError('validation', 'name is no text');
  const consumer = await createConsumer(hub.database, { name: name || undefined, labels: labelsIn(labels) });
  return { status: 201, body: consumerView(consumer) };
};

const listBundles: Handler = async ({ hub, query }) => {
  const paging = pagingOf(query, Object.keys(searchableBundles.columns));
  const where = whereOf(query.get('search') ?? undefined, searchableBundles);
  const { total, items } = await pageOfBundles(hub.database, where, paging.order, paging);
  return { status: 200, body: listView('ResourceBundleList', paging.page, total, items.map(bundleView)) };
};

const getBundle: Handler = async ({ hub, id }) => {
  const bundle = await findBundle(hub.database, id);
  if (!bundle) throw new MaestroError('notFound', `ResourceBundle with id='${id}' not found`);
  return { status: 200, body: bundleView(bundle) };
};

/** In the order they are tried. */
export const routes: readonly Route[] = [
  { path: /^\/api\/maestro$/, methods: { GET: metadata } },
  { path: at(''), methods: { GET: metadata } },
  { path: at('/consumers'), methods: { GET: listConsumers, POST: addConsumer } },
  {
    path: at('/consumers/([^/]+)'),
    methods: {
      GET: async ({ hub, id }) => ({ status: 200, body: consumerView(await findConsumer(hub.database, id)) }),
      PATCH: async ({ hub, id, body }) => {
        const { name, labels } = await body();
        if (name !== undefined) throw new MaestroError('validation', 'the name of a consumer cannot be changed');
        return { status: 200, body: consumerView(await relabelConsumer(hub.database, id, labelsIn(labels) ?? {})) };
      },
      DELETE: async ({ hub, id }) => {
        await deleteConsumer(hub.database, id);
        return { status: 204 };
      },
    },
  },
  { path: at('/resource-bundles'), methods: { GET: listBundles } },
  {
    path: at('/resource-bundles/([^/]+)'),
    methods: {
      GET: getBundle,
      DELETE: async ({ hub, id }) => {
        await hub.delete(id);
        return { status: 204 };
      },
    },
  },
];

function labelsIn(labels: unknown): object | undefined {
  if (labels === undefined || labels === null) return undefined;
  if (
    typeof labels !== 'object' ||
    Array.isArray(labels) ||
    Object.values(labels).some((value) => typeof value !== 'string')
  )
    throw new MaestroError('validation', 'labels is no map of texts');
  return labels;
}
