#pragma once

void multiply_by_eleven(int* pinned);
