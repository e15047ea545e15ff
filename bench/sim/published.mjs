// Figures of others on the same servers, published with the algorithm: 300 queued behind a hold, RTT 80 ms
// +-20 %, mean of 8 seeds; rejections / drain as a multiple of N / capacity / most sends in 50 ms.
export const alternatives = [
  'each waits alone',
  'one probe',
  'concurrency 10',
  'serial',
  'AWS adaptive',
  'with quota headers',
];

export const published = {
  'bucket-20-20': [
    '2030 / 1.08 / 300',
    '1995 / 1.17 / 299',
    '99 / 1.12 / 10',
    '0 / 1.67 / 1',
    '11 / 1.57 / 4',
    '2 / 1.06',
  ],
  'bucket-20-200': ['1941 / 1.01', '1787 / 1.02', '82 / 1.04', '0 / 1.67', '17 / 1.16', ''],
  'bucket-2-5': ['20728 / 1.00', '19084 / 1.00', '1142 / 1.00', '111 / 1.00', '63 / 1.01', ''],
  'window-100-10': ['300 / 0.78', '300 / 0.78', '20 / 0.82', '2 / 1.04', '26 / 0.99', '1 / 0.99'],
  'window-60-60': ['600 / 0.86', '600 / 0.86', '40 / 0.86', '4 / 0.88', '142 / 0.89', ''],
  'sliding-100-10': ['1753 / 1.03', '1706 / 1.07', '63 / 1.07', '2 / 1.20', '28 / 1.38', '4 / 1.16'],
  'overload-20s': ['7338 / 2.37', '2013 / -', '- / -', '17 / 2.95', '- / -', ''],
  'hint-x5': ['- / 5.09', '- / -', '- / -', '- / -', 'ignores it', ''],
  'bucket-500': ['0 / 1.83', '0 / 2.00', '0 / 5.67', '0 / 41.7', '0 / 17.8', ''],
};
