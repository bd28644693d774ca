import { gamePages } from './games/index.ts';
import { homePage } from './home/index.ts';
import { marketPages } from './market/index.ts';
import type { Page } from './page.ts';
import { passportPages } from './passport/index.ts';
import { searchPage } from './search/index.ts';
import { statusPage } from './status/index.ts';
import { imageFiles, metadataFiles } from './stored-file.ts';

/** Every public page of the open host. */
export const PAGES: readonly Page[] = [
  homePage,
  searchPage,
  marketPages,
  passportPages,
  gamePages,
  statusPage,
  metadataFiles,
  imageFiles,
];
