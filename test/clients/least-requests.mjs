const METHODS = ['get', 'post', 'delete'];

/** A program that asks each operation of a document with nothing but what it requires, and reads answer and refusal. */
export function leastRequests({ paths }, host) {
  const lines = [
    `import createClient from 'openapi-fetch';`,
    `import type { paths } from './${host}.ts';`,
    `const client = createClient<paths>({ baseUrl: 'https://api.example.org' });`,
  ];
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations))
      if (METHODS.includes(method)) lines.push(...askedOf(path, method, operation));
  return `${lines.join('\n')}\n`;
}

function askedOf(path, method, { operationId, parameters = [], requestBody, responses }) {
  const options = [];
  const named = (place) =>
    parameters.filter((one) => one.in === place && one.required).map(({ name, example }) => [name, example]);
  const params = ['path', 'query', 'header'].flatMap((place) => {
    const list = named(place);
    return list.length === 0 ? [] : [`${place}: ${JSON.stringify(Object.fromEntries(list))}`];
  });
  if (params.length > 0) options.push(`params: { ${params.join(', ')} }`);
  if (requestBody !== undefined) options.push(`body: ${JSON.stringify(leastBody(requestBody))}`);
  const success = responses['200'].content['application/json']?.schema;
  const reads = success?.properties?.data === undefined ? 'answer.data' : `answer.data.data`;
  const refusal = Object.keys(responses).some((status) => status === '400')
    ? [`if (answer.error !== undefined) { const code: string = answer.error.error.code; void code; }`]
    : [];
  const given = options.length === 0 ? '' : `, { ${options.join(', ')} }`;
  return [
    `export async function ${operationId}(): Promise<void> {`,
    `  const answer = await client.${method.toUpperCase()}(${JSON.stringify(path)}${given});`,
    `  if (answer.data !== undefined) void ${reads};`,
    ...refusal.map((line) => `  ${line}`),
    '}',
  ];
}

function leastBody({ content }) {
  const { schema, example } = content['application/json'] ?? content['multipart/form-data'];
  const required = schema.required ?? [];
  return Object.fromEntries(required.map((field) => [field, example?.[field] ?? '']));
}
