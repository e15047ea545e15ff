/** All that this package needs of axios while it runs, imported once. */
export { AxiosError, CanceledError, isAxiosError, isCancel } from 'axios';
