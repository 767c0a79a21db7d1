/** A page that lists the operations of the document beside it; it needs nothing from elsewhere. */
export const openapiPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>HyperFleet API</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
  code { font: 14px ui-monospace, monospace; }
  li { list-style: none; margin: .2rem 0; }
  b { display: inline-block; width: 5rem; }
</style>
</head>
<body>
<h1>HyperFleet API</h1>
<p>The machine-readable form is <a href="openapi">openapi</a>.</p>
<div id="operations">Loading the operations needs JavaScript.</div>
<script>
  fetch('openapi').then((response) => response.json()).then((document_) => {
    const root = document.getElementById('operations');
    root.textContent = '';
    for (const [path, operations] of Object.entries(document_.paths)) {
      const list = document.createElement('ul');
      for (const [method, operation] of Object.entries(operations)) {
        const item = document.createElement('li');
        const name = document.createElement('b');
        const where = document.createElement('code');
        name.textContent = method.toUpperCase();
        where.textContent = path;
        const success = Object.entries(operation.responses).find(([status]) => status !== 'default');
        item.append(name, where, ' ', success ? success[0] + ' ' + success[1].description : '');
        list.append(item);
      }
      root.append(list);
    }
  });
</script>
</body>
</html>
`;
