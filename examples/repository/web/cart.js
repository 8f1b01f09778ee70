// SPDX-License-Identifier: MIT
export const total = (lines) => lines.reduce((sum, line) => sum + line.price, 0);
