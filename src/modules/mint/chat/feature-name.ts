export const CREATE_TOKEN = 'create_token';
