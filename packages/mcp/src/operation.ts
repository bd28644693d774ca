/** How an operation of the REST API is asked, and the JSON Schema of its input. */
export type Operation = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly in: 'body' | 'query';
  readonly pathFields: readonly string[];
  readonly input: InputSchema;
};

export type InputSchema = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
};
