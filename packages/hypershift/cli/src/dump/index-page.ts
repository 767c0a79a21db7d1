import type { Collection } from './collect.ts';

/** What the first page tells. */
export interface IndexModel {
  readonly title: string;
  readonly takenAt: string;
  readonly rootCause: string | undefined;
  /** What `describe cluster` prints. */
  readonly description: string;
  readonly collections: readonly Collection[];
}

const newest = 100;
const escapes: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');
}

const link = (path: string, text: string) => `<a href="${escapeHtml(encodeURI(path))}">${escapeHtml(text)}</a>`;
const row = (cells: readonly string[], tag = 'td') =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  rows.length === 0 ? '<p>None.</p>' : `<table>${row(head, 'th')}${rows.map((cells) => row(cells)).join('\n')}</table>`;

function objects({ counts }: Collection): string {
  return table(
    ['Kind', 'Objects', 'File'],
    counts
      .toSorted((a, b) => a.kind.localeCompare(b.kind))
      .map(({ kind, count, path }) => [escapeHtml(kind), String(count), link(path, path)]),
  );
}

function pods({ pods: all, files }: Collection): string {
  return table(
    ['Pod', 'Phase', 'Ready', 'Restarts', 'Runs as', 'Logs'],
    all.map(({ metadata, status }) => {
      const containers = status?.containerStatuses ?? [];
      const logs = files.filter(({ path }) => path.includes(`/pods/${metadata.name}/`));
      return [
        escapeHtml(`${metadata.namespace}/${metadata.name}`),
        escapeHtml(status?.phase ?? ''),
        `${containers.filter(({ ready }) => ready).length}/${containers.length}`,
        String(containers.reduce((sum, { restartCount }) => sum + restartCount, 0)),
        escapeHtml(metadata.annotations?.['hypershift-ts.io/runtime'] ?? ''),
        logs.map(({ path }) => link(path, path.slice(path.lastIndexOf('/') + 1))).join(' '),
      ];
    }),
  );
}

function events({ events: all }: Collection): string {
  const time = (event: (typeof all)[number]) =>
    event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? '';
  return table(
    ['Time', 'Type', 'Reason', 'Object', 'Message'],
    all
      .toSorted((a, b) => (time(a) < time(b) ? 1 : -1))
      .slice(0, newest)
      .map((event) =>
        [
          time(event),
          event.type ?? '',
          event.reason ?? '',
          `${event.involvedObject.kind} ${event.involvedObject.namespace ?? ''}/${event.involvedObject.name}`,
          event.message ?? '',
        ].map(escapeHtml),
      ),
  );
}

function section(collection: Collection): string {
  const { problems } = collection;
  return `<h2>${escapeHtml(collection.title)}</h2>
<h3>Pods</h3>${pods(collection)}
<h3>Events, newest first</h3>${events(collection)}
<h3>Objects</h3>${objects(collection)}
${problems.length > 0 ? `<h3>Not readable</h3><ul>${problems.map((one) => `<li>${escapeHtml(one)}</li>`).join('')}</ul>` : ''}`;
}

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:.5rem 0 1.5rem}td,th{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top;border-bottom:1px solid #ddd}
pre{background:#f6f6f6;padding:1rem;overflow:auto}.cause{border-left:4px solid #c00;padding-left:1rem}`;

/** One page, without scripts, that leads to everything else. */
export function indexPage({ title, takenAt, rootCause, description, collections }: IndexModel): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body>
<h1>${escapeHtml(title)}</h1>
<p>Taken at ${escapeHtml(takenAt)}. Values of Secrets are left out.</p>
${rootCause ? `<p class="cause"><strong>Root cause:</strong> ${escapeHtml(rootCause)}</p>` : '<p>Nothing is known to be wrong.</p>'}
<pre>${escapeHtml(description)}</pre>
${collections.map(section).join('\n')}
</body></html>
`;
}
