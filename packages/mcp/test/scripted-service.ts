import type { Arguments, Service } from '../src/service.ts';

export type Asked = { readonly path: string; readonly input: Arguments };

/** Gives `answers` by path in place of a host, and lists the questions. */
export function scriptedService(answers: Readonly<Record<string, unknown>>) {
  const asked: Asked[] = [];
  const service: Service = {
    ask: async ({ path }, input) => {
      asked.push({ path, input });
      const answer = answers[path];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    read: async (path) => {
      const answer = answers[path];
      if (typeof answer !== 'string') throw new Error(`nothing at ${path}`);
      return answer;
    },
  };
  return { service, asked };
}
