import { escapeHtml } from '../escape-html.ts';

declare const brand: unique symbol;

/**
 * A piece of a page. The way to get one is `html`, which escapes everything that is put in, so people's text from a form stays text
 * wherever it is shown.
 */
export type Html = { readonly [brand]: true; readonly markup: string };

/** The values of a template; lists are placed one after the other, null and false are left out. */
type Value = Html | string | number | null | false | readonly Html[];

export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return made(String.raw({ raw: strings }, ...values.map(place)));
}

const made = (markup: string): Html => ({ markup }) as Html;

function place(value: Value): string {
  if (value === null || value === false) return '';
  if (typeof value !== 'object') return escapeHtml(String(value));
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}
