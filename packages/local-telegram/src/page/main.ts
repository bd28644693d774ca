import { html, render } from 'htm/preact';
import { createApi } from './api.ts';
import { App } from './app.ts';
import { createStore } from './store.ts';

const root = document.getElementById('app');
const token = document.querySelector<HTMLMetaElement>('meta[name="sim-token"]')?.content ?? '';
if (root !== null) {
  root.replaceChildren();
  render(html`<${App} store=${createStore(createApi(token))} />`, root);
}
