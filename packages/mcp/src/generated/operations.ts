// Written by `npm run mcp:tools` from the document of the keyed host. A test compares it with it.
import type { Operation } from '../operation.ts';

export const OPERATIONS = {
  quoteSwap: {
    method: "GET",
    path: "/dex/quote",
    in: "query",
    pathFields: [],
    input: {
      type: "object",
      properties: {
        fromTokenAddress: {
          description: "public key of the token sold",
          type: "string",
          maxLength: 64
        },
        toTokenAddress: {
          description: "public key of the token bought",
          type: "string",
          maxLength: 64
        },
        amount: {
          description: "amount to swap in smallest units",
          type: "string",
          pattern: "^[1-9][0-9]{0,19}$"
        },
        slippageBps: {
          description: "basis points",
          default: "500",
          type: "string",
          pattern: "^\\d{1,5}$"
        },
        venues: {
          description: "only these venues, by their names in `GET /dex/venues`; no aggregator is asked; separated by commas",
          type: "string",
          maxLength: 500
        },
        excludeVenues: {
          description: "none of these venues; no aggregator is asked. Not together with `venues`; separated by commas",
          type: "string",
          maxLength: 500
        },
        directOnly: {
          description: "only pools of the two tokens, several at once allowed; no aggregator is asked",
          type: "string",
          enum: [
            "true",
            "false"
          ]
        },
        maxTransactionVersion: {
          description: "newest version of a transaction that the signer reads: 0, or 1, which holds three times as much and needs no lookup tables; 0 when left out. With a tip always 0",
          type: "string",
          enum: [
            "0",
            "1"
          ]
        }
      },
      required: [
        "fromTokenAddress",
        "toTokenAddress",
        "amount"
      ],
      additionalProperties: false
    }
  },
  createSwapTransaction: {
    method: "POST",
    path: "/dex/swap",
    in: "body",
    pathFields: [],
    input: {
      type: "object",
      properties: {
        quoteOnly: {
          type: "string",
          enum: [
            "true",
            "false"
          ],
          default: "false"
        },
        userWalletAddress: {
          description: "wallet address of the user who initiates the swap",
          type: "string",
          maxLength: 64
        },
        amount: {
          description: "amount to swap, in the sold token's smallest unit; with swapMode exactOut the least that must arrive, in the bought token's",
          type: "string",
          pattern: "^[1-9][0-9]{0,19}$"
        },
        swapMode: {
          description: "exactIn sells exactly `amount`; exactOut sells the least whose certain output is `amount`, and needs slippageBps",
          default: "exactIn",
          type: [
            "string",
            "null"
          ],
          enum: [
            "exactIn",
            "exactOut",
            null
          ]
        },
        fromTokenAddress: {
          description: "public key of the token sold; wrapped SOL means SOL",
          type: "string",
          maxLength: 64
        },
        toTokenAddress: {
          description: "public key of the token bought; wrapped SOL means SOL",
          type: "string",
          maxLength: 64
        },
        slippageBps: {
          default: 500,
          description: "allowed slippage in basis points",
          type: [
            "integer",
            "null"
          ],
          minimum: 0,
          maximum: 10000
        },
        referrerWalletAddress: {
          description: "wallet that receives the referrer fee",
          type: [
            "string",
            "null"
          ],
          maxLength: 64
        },
        referrerFeeBps: {
          description: "referrer fee in basis points; at most 300 on the open host, on the pro host what the key allows",
          type: [
            "integer",
            "null"
          ],
          minimum: 0,
          maximum: 10000
        },
        venues: {
          description: "only these venues, by their names in `GET /dex/venues`; no aggregator is asked",
          minItems: 1,
          maxItems: 12,
          type: [
            "array",
            "null"
          ],
          items: {
            type: "string",
            maxLength: 40
          }
        },
        excludeVenues: {
          description: "none of these venues; no aggregator is asked. Not together with `venues`",
          minItems: 1,
          maxItems: 12,
          type: [
            "array",
            "null"
          ],
          items: {
            type: "string",
            maxLength: 40
          }
        },
        directOnly: {
          description: "only pools of the two tokens, several at once allowed; no aggregator is asked",
          type: [
            "boolean",
            "null"
          ]
        },
        maxTransactionVersion: {
          anyOf: [
            {
              description: "newest version of a transaction that the signer reads: 0, or 1, which holds three times as much and needs no lookup tables; 0 when left out. With a tip always 0",
              anyOf: [
                {
                  type: "number",
                  const: 0
                },
                {
                  type: "number",
                  const: 1
                }
              ]
            },
            {
              type: "null"
            }
          ]
        },
        priority: {
          description: "how much the network may take for a place in the next blocks; `normal` when left out",
          type: [
            "string",
            "null"
          ],
          enum: [
            "economy",
            "normal",
            "fast",
            "turbo",
            null
          ]
        },
        maxPriorityFeeLamports: {
          description: "the most for priority, where that is less than what the tier allows",
          type: [
            "string",
            "null"
          ],
          pattern: "^\\d{1,8}$"
        },
        destinationWalletAddress: {
          description: "wallet that receives the output in its associated account, which the requester pays where it is missing; SOL goes to a token account only",
          type: [
            "string",
            "null"
          ],
          maxLength: 64
        },
        destinationTokenAccount: {
          description: "existing token account that receives the output; for SOL one of wrapped SOL. Not together with `destinationWalletAddress`",
          type: [
            "string",
            "null"
          ],
          maxLength: 64
        },
        feePayerAddress: {
          description: "wallet that signs first and pays the network fee and nothing else; the requester when left out",
          type: [
            "string",
            "null"
          ],
          maxLength: 64
        },
        wrapAndUnwrapSol: {
          description: "false: wrapped SOL is a token in its associated account; no SOL is wrapped or unwrapped, and no aggregator is asked. true when left out",
          type: [
            "boolean",
            "null"
          ]
        },
        expiresInBlocks: {
          description: "blocks for which the transaction is taken, or a few more: an older blockhash is used where this service heard one; `lastValidBlockHeight` is exact. 150 when left out",
          type: [
            "integer",
            "null"
          ],
          minimum: 10,
          maximum: 150
        },
        closeEmptiedAccount: {
          description: "true: where the swap sells all of the requester’s associated account, it closes that account and its rent comes back. A unit that arrives before it lands fails the swap. false when left out",
          type: [
            "boolean",
            "null"
          ]
        },
        maxAccounts: {
          description: "accounts that the transaction may name at most, those of lookup tables included; no aggregator is asked. 64 when left out",
          type: [
            "integer",
            "null"
          ],
          minimum: 20,
          maximum: 64
        },
        tipLamports: {
          description: "lamports that the last instruction pays to `sender`, which then takes the transaction; between its least tip and the operator’s cap, as `GET /dex/senders` says. None when left out",
          type: [
            "string",
            "null"
          ],
          pattern: "^\\d{1,10}$"
        },
        sender: {
          description: "whom the tip is for, by a name of `GET /dex/senders`; required with a tip",
          type: [
            "string",
            "null"
          ],
          minLength: 1,
          maxLength: 32
        }
      },
      required: [
        "userWalletAddress",
        "amount",
        "fromTokenAddress",
        "toTokenAddress"
      ],
      additionalProperties: false
    }
  },
  createTokenTransaction: {
    method: "POST",
    path: "/token",
    in: "body",
    pathFields: [],
    input: {
      type: "object",
      properties: {
        payer: {
          type: "string",
          maxLength: 64,
          description: "public key of the payer, who signs, pays and holds the authorities that are kept"
        },
        symbol: {
          type: "string",
          maxLength: 4096,
          description: "token symbol, at most 10 bytes"
        },
        newMint: {
          type: [
            "string",
            "null"
          ],
          maxLength: 4096,
          description: "public key for the mint, which must sign too; a new one is generated when omitted"
        },
        name: {
          type: [
            "string",
            "null"
          ],
          maxLength: 4096,
          description: "token name, at most 32 bytes; the symbol when omitted"
        },
        metadataUri: {
          type: [
            "string",
            "null"
          ],
          maxLength: 4096,
          description: "URI of the metadata, at most 200 bytes; wins over `metadata` and is never fetched"
        },
        metadata: {
          description: "what the metadata document says; stored and served by this service",
          type: [
            "object",
            "null"
          ],
          properties: {
            description: {
              type: [
                "string",
                "null"
              ],
              maxLength: 4096,
              description: "brief description"
            },
            imageUri: {
              type: [
                "string",
                "null"
              ],
              maxLength: 4096,
              description: "URL of the token image; never fetched"
            },
            extensions: {
              type: [
                "object",
                "null"
              ],
              properties: {
                discord: {
                  type: [
                    "string",
                    "null"
                  ],
                  maxLength: 4096,
                  description: "link to the token's Discord"
                },
                telegram: {
                  type: [
                    "string",
                    "null"
                  ],
                  maxLength: 4096,
                  description: "link to the token's Telegram"
                },
                twitter: {
                  type: [
                    "string",
                    "null"
                  ],
                  maxLength: 4096,
                  description: "link to the token's Twitter"
                },
                website: {
                  type: [
                    "string",
                    "null"
                  ],
                  maxLength: 4096,
                  description: "link to the token's website"
                }
              },
              additionalProperties: false
            },
            tags: {
              type: [
                "string",
                "null"
              ],
              maxLength: 4096,
              description: "comma-separated tags"
            }
          },
          additionalProperties: false
        },
        decimals: {
          type: [
            "number",
            "null"
          ],
          description: "decimal places",
          minimum: 0,
          maximum: 18,
          default: 6
        },
        mintSupply: {
          type: [
            "string",
            "null"
          ],
          maxLength: 4096,
          description: "total supply in whole tokens; must fit 64 bits in smallest units",
          default: "1000000000"
        },
        mintToPubkey: {
          type: [
            "string",
            "null"
          ],
          maxLength: 4096,
          description: "wallet that receives the supply; required with `mintSupply`, else the payer"
        },
        mintAuthority: {
          type: [
            "boolean",
            "null"
          ],
          description: "whether the payer keeps the mint authority; default true"
        },
        freezeAuthority: {
          type: [
            "boolean",
            "null"
          ],
          description: "whether the payer gets a freeze authority; default false"
        },
        program: {
          type: [
            "string",
            "null"
          ],
          maxLength: 4096,
          description: "\"token\" (standard) or \"token2022\" (extended)",
          enum: [
            "token",
            "token2022",
            null
          ],
          default: "token"
        },
        transferFeeConfigAuthority: {
          type: [
            "string",
            "null"
          ],
          maxLength: 4096,
          description: "token2022: who may change the transfer fee"
        },
        transferFeeWithdrawalAuthority: {
          type: [
            "string",
            "null"
          ],
          maxLength: 4096,
          description: "token2022: who may withdraw collected fees"
        },
        transferFeeBps: {
          type: [
            "number",
            "null"
          ],
          description: "token2022: transfer fee in basis points",
          minimum: 0,
          maximum: 10000
        },
        transferFeeMax: {
          type: [
            "string",
            "null"
          ],
          maxLength: 4096,
          description: "token2022: maximum fee of one transfer, in smallest units"
        },
        permanentDelegate: {
          type: [
            "string",
            "null"
          ],
          maxLength: 4096,
          description: "token2022: delegate with permanent rights over every account"
        },
        defaultAccountState: {
          description: "token2022: state that accounts start in; frozen needs `freezeAuthority`",
          type: [
            "object",
            "null"
          ],
          properties: {
            state: {
              type: [
                "string",
                "null"
              ],
              maxLength: 4096,
              description: "state of new accounts",
              enum: [
                "initialized",
                "frozen",
                null
              ]
            }
          },
          additionalProperties: false
        },
        interestBearingAuthority: {
          type: [
            "string",
            "null"
          ],
          maxLength: 4096,
          description: "token2022: who may change the interest rate"
        },
        interestBearingPercent: {
          type: [
            "number",
            "null"
          ],
          description: "token2022: interest in percent a year, two decimals",
          minimum: 0,
          maximum: 100
        },
        mintCloseAuthority: {
          type: [
            "string",
            "null"
          ],
          maxLength: 4096,
          description: "token2022: who may close the mint when no units are left"
        },
        nonTransferableMint: {
          type: [
            "boolean",
            "null"
          ],
          description: "token2022: whether tokens can never be transferred"
        }
      },
      required: [
        "payer",
        "symbol"
      ],
      additionalProperties: false
    }
  },
  showTransaction: {
    method: "GET",
    path: "/transactions/:signature",
    in: "query",
    pathFields: [
      "signature"
    ],
    input: {
      type: "object",
      properties: {
        signature: {
          type: "string",
          maxLength: 88,
          description: "first signature of the transaction"
        },
        waitFor: {
          type: "string",
          enum: [
            "confirmed",
            "final"
          ],
          description: "the answer waits until the status is this or better, at most `timeoutMs`"
        },
        timeoutMs: {
          description: "milliseconds, at most 8000; the record as it is then",
          type: "string",
          pattern: "^\\d{1,4}$"
        }
      },
      required: [
        "signature"
      ],
      additionalProperties: false
    }
  },
  showToken: {
    method: "GET",
    path: "/tokens/:mint",
    in: "query",
    pathFields: [
      "mint"
    ],
    input: {
      type: "object",
      properties: {
        mint: {
          description: "mint of the token",
          type: "string",
          maxLength: 64
        }
      },
      required: [
        "mint"
      ],
      additionalProperties: false
    }
  },
  searchTokens: {
    method: "GET",
    path: "/tokens/search",
    in: "query",
    pathFields: [],
    input: {
      type: "object",
      properties: {
        q: {
          type: "string",
          maxLength: 512,
          description: "`$PUP`, `PUP`, `puppy`; the address of a mint, a market or a token account; a link"
        },
        limit: {
          default: "10",
          type: "string",
          pattern: "^[1-9]\\d{0,2}$"
        }
      },
      required: [
        "q"
      ],
      additionalProperties: false
    }
  },
  listTrendingTokens: {
    method: "GET",
    path: "/tokens/trending",
    in: "query",
    pathFields: [],
    input: {
      type: "object",
      properties: {
        window: {
          default: "24h",
          type: "string",
          enum: [
            "1h",
            "6h",
            "24h"
          ]
        },
        limit: {
          default: "20",
          type: "string",
          pattern: "^[1-9]\\d{0,2}$"
        }
      },
      required: [],
      additionalProperties: false
    }
  },
  listTokenPrices: {
    method: "POST",
    path: "/prices",
    in: "body",
    pathFields: [],
    input: {
      type: "object",
      properties: {
        mints: {
          minItems: 1,
          maxItems: 100,
          type: "array",
          items: {
            description: "mint of a token",
            type: "string",
            maxLength: 64
          }
        }
      },
      required: [
        "mints"
      ],
      additionalProperties: false
    }
  },
  listMarkets: {
    method: "GET",
    path: "/markets",
    in: "query",
    pathFields: [],
    input: {
      type: "object",
      properties: {
        limit: {
          description: "rows at most; everything when left out",
          type: "string",
          pattern: "^[1-9]\\d{0,3}$"
        },
        cursor: {
          description: "opaque, from the Link header with rel=\"next\"",
          type: "string",
          maxLength: 200
        },
        quote: {
          description: "mint that prices are counted in",
          type: "string",
          maxLength: 64
        },
        base: {
          description: "mint that is traded",
          type: "string",
          maxLength: 64
        },
        since: {
          description: "ISO 8601: only markets with a trade since then",
          type: "string",
          pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})$"
        }
      },
      required: [],
      additionalProperties: false
    }
  },
  listMarketCandles: {
    method: "GET",
    path: "/markets/:address/candles",
    in: "query",
    pathFields: [
      "address"
    ],
    input: {
      type: "object",
      properties: {
        address: {
          description: "address of the market",
          type: "string",
          maxLength: 64
        },
        resolution: {
          default: "60",
          description: "minutes, or 1D",
          type: "string",
          enum: [
            "1",
            "3",
            "5",
            "15",
            "30",
            "60",
            "120",
            "180",
            "240",
            "1D"
          ]
        },
        from: {
          description: "Unix seconds",
          type: "string",
          pattern: "^\\d{1,11}$"
        },
        to: {
          description: "Unix seconds, not included",
          type: "string",
          pattern: "^\\d{1,11}$"
        },
        limit: {
          default: "500",
          description: "the newest so many",
          type: "string",
          pattern: "^[1-9]\\d{0,3}$"
        }
      },
      required: [
        "address"
      ],
      additionalProperties: false
    }
  }
} as const satisfies Readonly<Record<string, Operation>>;
