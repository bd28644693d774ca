import { gamePages } from '../modules/games/pages/index.ts';
import { marketPages } from '../modules/market/pages/index.ts';
import { statusPage } from '../modules/operations/pages/index.ts';
import { passportPages } from '../modules/passport/pages/index.ts';
import { searchPage } from '../modules/tokens/pages/search.ts';
import { homePage } from '../platform/http/site/home.ts';
import type { Page } from '../platform/http/site/page.ts';
import { imageFiles, metadataFiles } from '../platform/http/site/stored-file.ts';
import { faviconFile, robotsFile, securityFile } from '../platform/http/site/well-known-files.ts';

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
  robotsFile,
  securityFile,
  faviconFile,
];
