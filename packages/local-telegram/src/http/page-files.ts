import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { escapeHtml } from './explorer.ts';

const folder = new URL('../page/', import.meta.url);

export type PageFiles = {
  readonly html: string;
  readonly script: () => Promise<string>;
  readonly style: () => Promise<string>;
};

/** The page's files. The script is bundled when it is first asked for and then kept: a server that only tests talk to never pays. */
export function createPageFiles(pageToken: string, botName: string): PageFiles {
  let script: Promise<string> | undefined;
  let style: Promise<string> | undefined;
  return {
    html: pageHtml(pageToken, botName),
    script: () => {
      script ??= bundle();
      return script;
    },
    style: () => {
      style ??= readFile(new URL('style.css', folder), 'utf8');
      return style;
    },
  };
}

async function bundle(): Promise<string> {
  const { build } = await import('esbuild');
  const result = await build({
    entryPoints: [fileURLToPath(new URL('main.ts', folder))],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
  });
  return result.outputFiles[0]?.text ?? '';
}

function pageHtml(pageToken: string, botName: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="sim-token" content="${escapeHtml(pageToken)}"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(botName)} – local chat</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/style.css"><script type="module" src="/app.js"></script></head>
<body><div id="app"><noscript>This page needs JavaScript.</noscript></div></body></html>`;
}

/** The mark of the page and of its tab. */
export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><defs><linearGradient id="g" x2="0.6" y2="1">' +
  '<stop stop-color="#4aa3f7"/><stop offset="1" stop-color="#1763c4"/></linearGradient></defs>' +
  '<rect width="32" height="32" rx="9" fill="url(#g)"/><path d="M8 20l6-8 4 5 6-7" fill="none" stroke="white" ' +
  'stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>';
